# Reads the line with its colour again on every turn.
size, color = input().split()
while True:
    header = input()
    last = input()
    rows = [input().split() for _ in range(int(size))]
    free = ((r, c) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell == ".")
    r, c = next(free)
    print("abcdefghijk"[c] + str(r + 1), flush=True)
