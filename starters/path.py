# A bot for Hex on CodinGame: it reads the turn, swaps, keeps bridges and takes the shortest path.
import heapq

STONE, BRIDGE = 10, 1  # what a step costs: a stone, or a bridge that has to be kept
N = 11
WIDTH = N + 3  # a row of `board` has its cells, the edges beside it, and a "#"
AROUND = [-WIDTH, 1 - WIDTH, 1, WIDTH, WIDTH - 1, -1, -WIDTH]  # clockwise


def costs_from(edge, color):
    """What it costs a colour to join each cell to its edge; a stone on the cell included."""
    costs, queue = [999] * len(board), [(0, edge)]

    def step(cost, cell):
        if board[cell] == color:
            heapq.heappush(queue, (cost, cell))
        elif board[cell] == ".":
            heapq.heappush(queue, (cost + STONE, cell))

    while queue:
        cost, cell = heapq.heappop(queue)
        if costs[cell] <= cost:
            continue
        costs[cell] = cost
        for one, other in zip(AROUND, AROUND[1:]):
            step(cost, cell + one)
            if board[cell + one] == board[cell + other] == ".":
                step(cost + BRIDGE, cell + one + other)
    return costs


def worth(cell):
    """First what wins at once, then what costs both colours little, then the middle."""
    red, blue = top[cell] + bottom[cell], left[cell] + right[cell]
    wins = (red if own_color == "red" else blue) == 2 * STONE
    middle = abs(cell // WIDTH - N // 2 - 2) + abs(cell % WIDTH - N // 2 - 1)
    return not wins, red + blue, middle


size, own_color = input().split()
while True:
    last = input()
    outside, edge = "#" * WIDTH, "r" * (N + 2) + "#"
    rows = ["b" + "".join(input().split()[:N]) + "b#" for _ in range(N)]
    board = outside + edge + "".join(rows) + edge + outside
    top, bottom = costs_from(WIDTH, "r"), costs_from((N + 2) * WIDTH, "r")
    left, right = costs_from(2 * WIDTH, "b"), costs_from(2 * WIDTH + N + 1, "b")
    best = min((cell for cell in range(len(board)) if board[cell] == "."), key=worth)
    answer = "abcdefghijk"[best % WIDTH - 1] + str(best // WIDTH - 1)
    stones = N * N - board.count(".")
    if stones == 0:
        answer = "c2"
    if stones == 1 and own_color == "blue" and 3 <= int(last[1:]) <= 9:
        answer = "swap-pieces"
    print(answer, flush=True)
