// Reads as the site's own stubs for C++ do: a word, one character, then whole lines.
#include <iostream>
#include <string>

int main() {
    int size;
    std::string color;
    std::cin >> size >> color; std::cin.ignore();
    while (1) {
        std::string last;
        std::cin >> last; std::cin.ignore();
        int row = -1, col = 0;
        for (int i = 0; i < size; i++) {
            std::string line;
            getline(std::cin, line);
            for (int j = 0; j < size; j++)
                if ((int)line.size() > 2 * j && line[2 * j] == '.') row = i, col = j;
        }
        std::cout << char('a' + col) << row + 1 << std::endl;
    }
}
