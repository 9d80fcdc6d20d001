// The geometry of the board in all rotations. On a flat board each row is shifted by half a cell to
// the right of the row above. HexWorld numbers rotations in steps of 30° from 1 to 12: 10 is flat,
// 7 stands on its side, 9 is the wide diamond, 12 the upright one. Mirrored boards are flipped
// before they are rotated.

// The distance from the centre of a cell to its corners, in units of the drawing.
export const RADIUS = 20;
const WIDTH = RADIUS * Math.sqrt(3);
// The margin around the cells: half of the coloured edge.
const EDGE = 7;
// Half of the size of a coordinate's box.
const NAME = 10;

export const FLAT = 10;
export const STANDING = 7;
export const DIAMOND = 9;
export const UPRIGHT = 12;

// Edges are "above and below" each other if their distance is this many times greater vertically
// than horizontally.
const CLEAR = 1.5;

export const isRotation = (value) => Number.isInteger(value) && 1 <= value && value <= 12;

// Columns are letters, rows are numbers from 1.
export const cellName = (col, row) => String.fromCharCode(97 + col) + (row + 1);

export const colOf = (cell) => cell.charCodeAt(0) - 97;
export const rowOf = (cell) => Number(cell.slice(1)) - 1;

// Maps cells to points of the drawing, for an orientation { rotation, mirrored }.
export class Layout {
  constructor(side, { rotation, mirrored }, hasAllNames) {
    this.side = side;
    const angle = (Math.PI / 6) * (mirrored ? rotation - 2 : rotation + 2);
    const [cos, sin, flip] = [Math.cos(angle), Math.sin(angle), mirrored ? -1 : 1];
    this.turned = (x, y) => ({ x: cos * flip * x - sin * y, y: sin * flip * x + cos * y });
    const last = side - 1;
    const all = Array.from({ length: side }, (_, index) => index);
    const near = (index) => [
      { text: cellName(index, 0)[0], ...this.center(index, -1) },
      { text: String(index + 1), ...this.center(-1, index) },
    ];
    const far = (index) => [
      { text: cellName(index, 0)[0], ...this.center(index, side) },
      { text: String(index + 1), ...this.center(side, index) },
    ];
    // The coordinates: { text, x, y }.
    this.names = all.flatMap((index) => [...near(index), ...(hasAllNames ? far(index) : [])]);
    const ends = [[0, 0], [last, 0], [0, last], [last, last]].flatMap(([col, row]) => this.corners(col, row));
    this.box = around([...ends.map((point) => [point, EDGE]), ...this.names.map((point) => [point, NAME])]);
  }

  // The centre of a cell, or of a place beside the board.
  center(col, row) {
    return this.turned(WIDTH * (col + row / 2), 1.5 * RADIUS * row);
  }

  // The corners of a cell, clockwise from the lower right on a flat board.
  corners(col, row) {
    const { x, y } = this.center(col, row);
    return [0, 1, 2, 3, 4, 5].map((index) => {
      const angle = (Math.PI / 6) * (1 + 2 * index);
      const corner = this.turned(RADIUS * Math.cos(angle), RADIUS * Math.sin(angle));
      return { x: x + corner.x, y: y + corner.y };
    });
  }

  // The board's four edges: { color, points }.
  edges() {
    const last = this.side - 1;
    const along = (place, corners) => Array.from({ length: this.side }, (_, index) => {
      const found = this.corners(...place(index));
      return corners.map((corner) => found[corner]);
    }).flat();
    return [
      { color: "red", points: along((col) => [col, 0], [3, 4, 5]) },
      { color: "red", points: along((col) => [col, last], [2, 1, 0]) },
      { color: "blue", points: along((row) => [0, row], [3, 2, 1]).slice(0, -1) },
      { color: "blue", points: along((row) => [last, row], [4, 5, 0]).slice(1) },
    ];
  }

  // Where the two edges of a colour are on the screen, in words: "above and below", for example.
  sidesOf(color) {
    const [from, to] = this.edges().filter((edge) => edge.color === color).map(({ points }) => middle(points));
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    if (Math.abs(dy) > CLEAR * Math.abs(dx)) return "above and below";
    if (Math.abs(dx) > CLEAR * Math.abs(dy)) return "left and right";
    return dx * dy > 0 ? "upper left and lower right" : "upper right and lower left";
  }

  // The direction in which a colour connects, in degrees clockwise from the right.
  directionOf(color) {
    const { x, y } = color === "red" ? this.turned(0, 1) : this.turned(1, 0);
    return (180 / Math.PI) * Math.atan2(y, x);
  }

  // The step { columns, rows } to the neighbour in a direction of the screen.
  stepTowards(x, y) {
    const steps = [[-1, 0], [1, 0], [0, -1], [0, 1], [1, -1], [-1, 1]];
    const match = ([cols, rows]) => {
      const to = this.center(cols, rows);
      // Rounded, so that of two equal matches the first one always wins.
      return Math.round(1000 * (to.x * x + to.y * y));
    };
    return steps.reduce((best, step) => (match(step) > match(best) ? step : best));
  }

  // The scale of the drawing in a place of this size.
  scaleIn(width, height) {
    return Math.min(width / this.box.width, height / this.box.height);
  }
}

function middle(points) {
  const mean = (key) => points.reduce((sum, point) => sum + point[key], 0) / points.length;
  return { x: mean("x"), y: mean("y") };
}

// The box around points with margins.
function around(points) {
  const least = (key) => Math.min(...points.map(([point, margin]) => point[key] - margin));
  const most = (key) => Math.max(...points.map(([point, margin]) => point[key] + margin));
  const [x, y] = [least("x"), least("y")];
  return { x, y, width: most("x") - x, height: most("y") - y };
}
