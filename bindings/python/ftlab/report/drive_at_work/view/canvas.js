// Colours of M. Okabe and K. Ito, "Color Universal Design" (2008), and drawing common to all canvases. Wear uses the ends
// and middle of cividis (Nunez, Anderton, Renslow, PLoS ONE 2018).

const THEMES = {
  light: {valid: '#0072b2', stale: '#e69f00', free: '#eef2f5', edge: '#b4bec6', ink: '#222', soft: '#4a4a4a', onValid: '#fff', onStale: '#222',
    host: '#007f5c', copies: '#a03a78', collecting: '#000', erased: '#2f83bd', chosen: '#d55e00', band: '#eef2f5', line: '#d5dbe0',
    halo: 'rgba(255,255,255,0.88)', paper: '#fff'},
  dark: {valid: '#2f86c9', stale: '#e0a53a', free: '#2a3036', edge: '#6a747d', ink: '#e8eaed', soft: '#b9bfc6', onValid: '#fff', onStale: '#16191d',
    host: '#35c99a', copies: '#e58cc0', collecting: '#fff', erased: '#8fd0f5', chosen: '#ff8a4c', band: '#22282e', line: '#39414a',
    halo: 'rgba(22,25,29,0.85)', paper: '#16191d'}
};
const DARK = window.matchMedia('screen and (prefers-color-scheme: dark)');
let COLOUR = DARK.matches ? THEMES.dark : THEMES.light;
const FONT = '12px system-ui, "Segoe UI", Roboto, Arial, sans-serif';
const WEAR = [[253, 231, 85], [201, 184, 106], [124, 123, 120], [64, 77, 107], [0, 34, 78]];

function wearColour(share) {
  const place = Math.max(0, Math.min(0.9999, share)) * (WEAR.length - 1);
  const from = WEAR[Math.floor(place)], to = WEAR[Math.floor(place) + 1];
  return 'rgb(' + from.map((part, i) => Math.round(part + (to[i] - part) * (place % 1))).join(',') + ')';
}

// Scales the canvas to the screen's pixels, clears it and returns its context in CSS pixels.
function prepared(canvas) {
  const ratio = window.devicePixelRatio || 1;
  const width = canvas.clientWidth, height = canvas.clientHeight;
  const wide = Math.max(1, Math.round(width * ratio)), high = Math.max(1, Math.round(height * ratio));
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.width = wide;
    canvas.height = high;
  }
  const context = canvas.getContext('2d');
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = FONT;
  return {context, width, height};
}

// A line through points [x, y].
function stroke(context, points, colour, width = 1, dash = []) {
  context.setLineDash(dash);
  context.strokeStyle = colour;
  context.lineWidth = width;
  trace(context, points);
  context.stroke();
  context.setLineDash([]);
}
function fill(context, points, colour) {
  context.fillStyle = colour;
  trace(context, points);
  context.fill();
}
function trace(context, points) {
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x, y);
}
function label(context, text, x, y, align = 'left', colour = COLOUR.soft) {
  context.textAlign = align;
  context.fillStyle = colour;
  context.fillText(text, x, y);
}

// Incoming data: a triangle pointing into the block. Outgoing data: a triangle pointing away.
function triangle(context, x, y, size, down, colour) {
  const tip = down ? size * 0.8 : -size * 0.8;
  const corners = [[x - size / 2, y - tip / 2], [x + size / 2, y - tip / 2], [x, y + tip / 2]];
  stroke(context, [...corners, ...corners.slice(0, 2)], COLOUR.paper, 2);
  fill(context, corners, colour);
}

// A thick arrow from block to block.
function arrow(context, from, to, colour) {
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  const head = 11;
  const end = {x: to.x - Math.cos(angle) * head, y: to.y - Math.sin(angle) * head};
  for (const [width, style] of [[7, COLOUR.halo], [3, colour]]) stroke(context, [[from.x, from.y], [end.x, end.y]], style, width);
  const barbs = [0.45, -0.45].map(side => [to.x - Math.cos(angle + side) * head * 1.5, to.y - Math.sin(angle + side) * head * 1.5]);
  fill(context, [[to.x, to.y], ...barbs], colour);
}

// Marker around a superblock, or null.
function markOf(cell, erasedNow) {
  if (cell.state === 'collecting' || cell.state === 'emptied') return {colour: COLOUR.collecting, dash: [], out: true};
  if (cell.state === 'open' && takesHost(cell)) return {colour: COLOUR.host, dash: [], in: true};
  if (cell.state === 'open') return {colour: COLOUR.copies, dash: [4, 2], in: true};
  if (erasedNow) return {colour: COLOUR.erased, dash: [2, 2]};
  return null;
}

// A superblock as a fill level: valid pages at the bottom, then stale ones, free ones on top.
function vessel(context, x, y, width, height, cell, pages) {
  const valid = height * cell.valid / pages, stale = height * cell.stale / pages;
  context.fillStyle = COLOUR.free;
  context.fillRect(x, y, width, height);
  context.fillStyle = COLOUR.stale;
  context.fillRect(x, y + height - valid - stale, width, stale);
  context.fillStyle = COLOUR.valid;
  context.fillRect(x, y + height - valid, width, valid);
}

function crossedOut(context, x, y, width, height) {
  stroke(context, [[x, y], [x + width, y + height]], COLOUR.ink, 1.5);
  stroke(context, [[x + width, y], [x, y + height]], COLOUR.ink, 1.5);
}
