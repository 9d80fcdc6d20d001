// What every page must have, looked at from inside: names for whatever can be used, contrast for
// whatever can be read, room for fingers. Returns what falls short, a line each.
({ least }) => {
  const problems = [];
  const isVisible = (element) => element.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true }) &&
    element.getBoundingClientRect().width > 0;
  const named = (element) => `${element.localName}#${element.id} "${(element.textContent ?? "").trim().slice(0, 30)}"`;

  const isUsable = (element) => isVisible(element) && element.closest("svg") === null;
  const usable = [...document.querySelectorAll("button, a[href], input, select, textarea, summary, [role=button], [role=tab]")].filter(isUsable);
  for (const element of usable) {
    const label = element.getAttribute("aria-label") || element.getAttribute("aria-labelledby") ||
      [...(element.labels ?? [])].map((text) => text.textContent).join("").trim() || element.textContent.trim() || element.title;
    if (!label) problems.push(`no name: ${named(element)}`);
  }
  const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
  for (const id of ids.filter((known, index) => ids.indexOf(known) !== index)) problems.push(`the id ${id} is there twice`);
  if (!document.documentElement.lang) problems.push("the page tells no language");
  if (document.documentElement.scrollWidth > innerWidth) problems.push(`the page is ${document.documentElement.scrollWidth} wide`);

  // A label belongs to its field; a link in a sentence may be as small as the sentence.
  for (const element of usable.filter((found) => found.localName !== "a")) {
    const places = [element, ...(element.labels ?? [])].map((place) => place.getBoundingClientRect());
    const size = Math.max(...places.map(({ width, height }) => Math.min(width, height)));
    if (size < least - 0.5) problems.push(`only ${size.toFixed(0)} pixels: ${named(element)}`);
  }

  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  // Red, green and blue of colours lying upon each other, the lowest first.
  const mixed = (colors) => {
    canvas.clearRect(0, 0, 1, 1);
    for (const color of colors) {
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
    }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const linear = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  const luminance = (color) => {
    const [red, green, blue] = color.map((value) => linear(value / 255));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const parents = (element) => (element === null ? [] : [...parents(element.parentElement), element]);
  const texts = [...document.body.querySelectorAll("*")].filter((element) => isVisible(element) &&
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== ""));
  for (const element of texts) {
    // What cannot be used may be pale; text with a shadow of its own stands on anything.
    const style = getComputedStyle(element);
    if (element.closest(":disabled") !== null || style.textShadow !== "none" || element.localName === "option") continue;
    const below = ["#ffffff", ...parents(element).map((parent) => getComputedStyle(parent).backgroundColor)];
    const ink = element.closest("svg") === null ? style.color : style.fill;
    if (element.closest(".layer") !== null) continue;
    const [light, dark] = [luminance(mixed(below)), luminance(mixed([...below, ink]))].sort((a, b) => b - a);
    const contrast = (light + 0.05) / (dark + 0.05);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (contrast < (isLarge ? 3 : 4.5)) problems.push(`contrast ${contrast.toFixed(2)}: ${named(element)}`);
  }
  return problems;
}
