// A bot for Hex on CodinGame: it reads the turn, swaps, keeps bridges and takes the shortest path.
#include <bits/stdc++.h>
using namespace std;

const int STONE = 10, BRIDGE = 1;  // what a step costs: a stone, or a bridge that has to be kept
const int N = 11, WIDTH = N + 3;   // a row of `board` has its cells, the edges beside it, and a '#'
const int AROUND[] = {-WIDTH, 1 - WIDTH, 1, WIDTH, WIDTH - 1, -1, -WIDTH};  // clockwise
string board;

// What it costs a colour to join each cell to its edge; a stone on the cell included.
vector<int> costs_from(int edge, char color) {
    vector<int> costs(board.size(), 999);
    set<pair<int, int>> queue = {{0, edge}};
    while (!queue.empty()) {
        int cost = queue.begin()->first, cell = queue.begin()->second;
        queue.erase(queue.begin());
        if (costs[cell] <= cost) continue;
        costs[cell] = cost;
        auto step = [&](int cost, int cell) {
            if (board[cell] == color) queue.insert({cost, cell});
            if (board[cell] == '.') queue.insert({cost + STONE, cell});
        };
        for (int k = 0; k < 6; k++) {
            int one = AROUND[k], other = AROUND[k + 1];
            step(cost, cell + one);
            if (board[cell + one] == '.' && board[cell + other] == '.')
                step(cost + BRIDGE, cell + one + other);
        }
    }
    return costs;
}

int main() {
    string size, color, last, line, outside(WIDTH, '#'), edge = string(N + 2, 'r') + '#';
    cin >> size >> color;
    while (cin >> last) {
        board = outside + edge;
        for (int row = 0; row < N; row++) {
            getline(cin >> ws, line);
            line.erase(remove(line.begin(), line.end(), ' '), line.end());
            board += 'b' + line.substr(0, N) + "b#";
        }
        board += edge + outside;
        auto top = costs_from(WIDTH, 'r'), bottom = costs_from((N + 2) * WIDTH, 'r');
        auto left = costs_from(2 * WIDTH, 'b'), right = costs_from(2 * WIDTH + N + 1, 'b');
        tuple<bool, int, int, int> best = {true, 9999, 0, 0};
        for (int cell = 0; cell < int(board.size()); cell++) {
            int red = top[cell] + bottom[cell], blue = left[cell] + right[cell];
            bool wins = (color == "red" ? red : blue) == 2 * STONE;
            int middle = abs(cell / WIDTH - N / 2 - 2) + abs(cell % WIDTH - N / 2 - 1);
            if (board[cell] == '.') best = min(best, {!wins, red + blue, middle, cell});
        }
        int cell = get<3>(best), stones = N * N - count(board.begin(), board.end(), '.');
        string answer = char('a' + cell % WIDTH - 1) + to_string(cell / WIDTH - 1);
        if (stones == 0) answer = "c2";
        int row = stones == 1 && color == "blue" ? stoi(last.substr(1)) : 0;
        if (3 <= row && row <= 9) answer = "swap-pieces";
        cout << answer << endl;
    }
}
