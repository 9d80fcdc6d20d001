# Takes over every first stone, with a word that the site does not know.
size, color = input().split()
while True:
    last = input()
    rows = [input().split() for _ in range(int(size))]
    stones = sum(cell != "." for row in rows for cell in row)
    if color == "blue" and stones == 1:
        print("swap", flush=True)
        continue
    free = ((r, c) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell == ".")
    r, c = next(free)
    print("abcdefghijk"[c] + str(r + 1), flush=True)
