// Contents of a panel as SVG: curves, ribbons, columns, guides, stacked parts, heat maps.

const SVG = 'http://www.w3.org/2000/svg';

function make(name, attributes, parent, text) {
  const element = document.createElementNS(SVG, name);
  for (const key of Object.keys(attributes)) element.setAttribute(key, attributes[key]);
  if (text !== undefined) element.textContent = text;
  if (parent) parent.append(element);
  return element;
}
function colour(hue) { return hue === undefined ? 'var(--ink)' : 'var(--hue' + hue + ')'; }
function fixed(pixel) { return pixel.toFixed(1); }

const SYMBOLS = {
  circle: r => 'M' + -r + ',0a' + r + ',' + r + ' 0 1,0 ' + 2 * r + ',0a' + r + ',' + r + ' 0 1,0 ' + -2 * r + ',0Z',
  diamond: r => 'M0,' + -1.3 * r + 'L' + 1.3 * r + ',0L0,' + 1.3 * r + 'L' + -1.3 * r + ',0Z',
  square: r => 'M' + -r + ',' + -r + 'h' + 2 * r + 'v' + 2 * r + 'h' + -2 * r + 'Z',
  triangle: r => 'M0,' + -1.2 * r + 'L' + 1.2 * r + ',' + r + 'L' + -1.2 * r + ',' + r + 'Z',
  x: r => 'M' + -r + ',' + -r + 'L' + r + ',' + r + 'M' + r + ',' + -r + 'L' + -r + ',' + r,
  cross: r => 'M0,' + -1.2 * r + 'V' + 1.2 * r + 'M' + -1.2 * r + ',0H' + 1.2 * r
};

function symbolPath(name, radius) { return SYMBOLS[name](radius); }

function drawCurve(group, mark, xs, x, y) {
  if (mark.half_width) drawIntervals(group, mark, xs, x, y);
  if (mark.style !== 'points')
    make('path', {d: linePath(mark, xs, x, y), fill: 'none', stroke: colour(mark.hue), 'stroke-width': 1.7,
      'stroke-dasharray': mark.dash || 'none', 'stroke-linejoin': 'round', class: 'line'}, group);
  if (mark.style === 'points' || mark.style === 'both') drawPoints(group, mark, xs, x, y);
}

function linePath(mark, xs, x, y) {
  let path = '', open = false;
  for (let i = 0; i < mark.y.length; ++i) {
    const px = x.at(xs[i]), py = y.at(mark.y[i]);
    if (Number.isNaN(px) || Number.isNaN(py)) { open = false; continue; }
    if (!open) path += 'M' + fixed(px) + ',' + fixed(py);
    else if (mark.style === 'steps') path += 'H' + fixed(px) + 'V' + fixed(py);
    else path += 'L' + fixed(px) + ',' + fixed(py);
    open = true;
  }
  return path;
}

function drawPoints(group, mark, xs, x, y) {
  const radius = mark.y.length <= 300 ? 4 : 2.5;
  mark.y.forEach((value, i) => {
    const px = x.at(xs[i]), py = y.at(value);
    if (Number.isNaN(px) || Number.isNaN(py)) return;
    const parent = mark.links && mark.links[i] ? link(group, mark.links[i], mark.words ? mark.words[i] : mark.name) : group;
    make('path', {d: symbolPath(mark.symbol, radius), transform: 'translate(' + fixed(px) + ',' + fixed(py) + ')',
      class: 'point', fill: ['x', 'cross'].includes(mark.symbol) ? 'none' : colour(mark.hue), stroke: colour(mark.hue),
      'stroke-width': 1.6}, parent);
  });
}

function link(group, to, label) {
  return make('a', {href: to, 'aria-label': label}, group);
}

function drawIntervals(group, mark, xs, x, y) {
  mark.half_width.forEach((half, i) => {
    if (!half) return;
    const px = x.at(xs[i]), high = y.at(mark.y[i] + half), low = y.at(Math.max(mark.y[i] - half, y.from));
    if (Number.isNaN(high) || Number.isNaN(low)) return;
    make('path', {d: 'M' + fixed(px) + ',' + fixed(high) + 'V' + fixed(low), stroke: colour(mark.hue), fill: 'none'}, group);
  });
}

function drawRibbon(group, mark, xs, x, y) {
  let above = [], below = [];
  const close = () => {
    if (above.length > 1) make('path', {d: 'M' + above.concat(below.reverse()).join('L') + 'Z', fill: colour(mark.hue),
      'fill-opacity': 0.2, class: 'ribbon'}, group);
    above = [];
    below = [];
  };
  xs.forEach((place, i) => {
    const px = x.at(place), high = y.at(mark.high[i]), low = y.at(mark.low[i]);
    if (Number.isNaN(px) || Number.isNaN(high) || Number.isNaN(low)) return close();
    above.push(fixed(px) + ',' + fixed(high));
    below.push(fixed(px) + ',' + fixed(low));
  });
  close();
}

function drawColumns(group, mark, x, y, beside, of) {
  mark.y.forEach((value, i) => {
    const left = x.at(mark.from[i] - 0.5), wide = (x.at(mark.below[i] - 0.5) - left) * 0.92 / of;
    const top = y.at(value);
    if (Number.isNaN(top)) return;
    make('rect', {x: fixed(left + wide * beside), y: fixed(top), width: fixed(Math.max(1, wide)),
      height: fixed(Math.max(0, y.start - top)), fill: colour(mark.hue), class: 'column'}, group);
  });
}

function drawGuide(group, mark, x, y, box) {
  const across = mark.along === 'x';
  const at = (across ? x : y).at(mark.place);
  if (Number.isNaN(at) || at < Math.min(box.left, box.top) - 1) return;
  if (across ? at > box.right : at > box.bottom || at < box.top) return;
  make('path', {d: across ? 'M' + fixed(at) + ',' + box.top + 'V' + box.bottom : 'M' + box.left + ',' + fixed(at) + 'H' + box.right,
    class: 'guide-line'}, group);
  if (across) make('text', {x: fixed(at + 3), y: box.bottom - 5, class: 'note'}, group, mark.name);
  else make('text', {x: box.right - 3, y: fixed(at - 4), 'text-anchor': 'end', class: 'note'}, group, mark.name);
}

// From the middle part of cividis (J. Nunez, C. Anderton, R. Renslow, PLoS ONE 2018), light to dark.
const FIELD = [[253, 234, 160], [222, 203, 104], [177, 166, 112], [124, 123, 120], [78, 87, 109], [30, 58, 105], [0, 32, 77]];
function fieldColour(share) {
  const place = Math.max(0, Math.min(0.9999, share)) * (FIELD.length - 1);
  const from = FIELD[Math.floor(place)], to = FIELD[Math.floor(place) + 1];
  return from.map((part, i) => Math.round(part + (to[i] - part) * (place % 1)));
}
// Black or white, whichever has more contrast (WCAG 2.1's relative luminance).
function inkOn(rgb) {
  const [red, green, blue] = rgb.map(part => Math.pow(part / 255, 2.2));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? '#000' : '#fff';
}
