// Fast streams whose output nobody flushes.
#include <iostream>
#include <string>

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int size;
    std::string color, last, cell;
    std::cin >> size >> color;
    while (true) {
        std::cin >> last;
        int found = -1;
        for (int place = 0; place < size * size; place++) {
            std::cin >> cell;
            if (cell == "." && found < 0) found = place;
        }
        std::cout << char('a' + found % size) << found / size + 1 << '\n';
    }
}
