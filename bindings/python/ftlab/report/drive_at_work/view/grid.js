// All superblocks side by side, ordered by number, die or age.

class Grid {
  constructor(canvas, recording) {
    this.canvas = canvas;
    this.recording = recording;
    this.order = 'number';
  }

  // Groups of superblocks, each starting a new row: [{name, blocks}].
  groups(picture) {
    const {recording} = this, all = Array.from({length: recording.blocks}, (_, block) => block);
    if (this.order === 'die') {
      const dies = [...new Set(all.map(block => recording.firstDie(block)))].sort((a, b) => a - b);
      return dies.map(die => {
        const blocks = all.filter(block => recording.firstDie(block) === die);
        return {name: recording.diesText(blocks[0]), blocks};
      });
    }
    if (this.order !== 'age') return [{name: '', blocks: all}];
    const opened = block => recording.openedAt[picture * recording.blocks + block];
    const key = block => opened(block) < 0 ? Infinity : opened(block);
    return [{name: '', blocks: all.sort((a, b) => key(a) - key(b) || a - b)}];
  }

  // Position of each superblock: places[block], and its inverse blocks[place], -1 in unused cells of a row.
  place(picture) {
    this.blocks = [];
    this.headings = [];
    for (const {name, blocks} of this.shownGroups) {
      if (name) this.headings.push({row: this.blocks.length / this.columns, name});
      this.blocks.push(...blocks);
      while (this.shownGroups.length > 1 && this.blocks.length % this.columns !== 0) this.blocks.push(-1);
    }
    this.places = new Int32Array(this.recording.blocks);
    this.blocks.forEach((block, place) => { if (block >= 0) this.places[block] = place; });
  }
  // The superblock `by` positions after `block`.
  neighbour(block, by) {
    const place = Math.max(0, Math.min(this.blocks.length - 1, this.places[block] + by));
    return this.blocks[place] >= 0 ? this.blocks[place] : block;
  }

  // Large cells are slightly wider than high to fit their numbers. Small ones are higher than wide, because their height
  // shows the fill level.
  arrange(width, height, picture) {
    this.shownGroups = this.groups(picture);
    this.left = this.shownGroups.length > 1 ? 58 : 0;
    width -= this.left;
    this.fit(width, height, 1.25);
    if (this.small()) this.fit(width, height, 0.7);
    this.gap = Math.max(0.5, Math.min(5, this.cellWidth * 0.08));
    this.place(picture);
  }

  // Chooses the number of columns with the largest cells, with a preference for full rows.
  fit(width, height, shape) {
    let best = {size: 0};
    for (let columns = 1; columns <= this.recording.blocks; ++columns) {
      const rows = this.shownGroups.reduce((sum, group) => sum + Math.ceil(group.blocks.length / columns), 0);
      const full = this.recording.blocks % columns === 0 ? 1.15 : 1;
      const size = Math.min(width / columns / shape, height / rows) * full;
      if (size > best.size) best = {size, columns, rows};
    }
    this.columns = best.columns;
    this.cellWidth = width / best.columns;
    this.cellHeight = height / best.rows;
  }

  rect(block) {
    const place = this.places[block], column = place % this.columns, row = Math.floor(place / this.columns);
    return {
      x: this.left + column * this.cellWidth + this.gap / 2, y: row * this.cellHeight + this.gap / 2,
      width: this.cellWidth - this.gap, height: this.cellHeight - this.gap
    };
  }
  middle(block) {
    const {x, y, width, height} = this.rect(block);
    return {x: x + width / 2, y: y + height / 2};
  }
  blockAt(x, y) {
    const column = Math.floor((x - this.left) / this.cellWidth), row = Math.floor(y / this.cellHeight);
    const block = this.blocks[row * this.columns + column];
    return column >= 0 && column < this.columns && block !== undefined ? block : -1;
  }

  draw(picture, chosen, colouring) {
    const {context, width, height} = prepared(this.canvas);
    this.arrange(width, height, picture);
    this.drawHeadings(context);
    const erased = new Set(this.recording.erasedSince(picture).map(cell => cell.block));
    const marked = [];
    for (let block = 0; block < this.recording.blocks; ++block) {
      const cell = this.recording.cell(picture, block);
      this.drawCell(context, cell, colouring, picture);
      const mark = markOf(cell, erased.has(block));
      if (mark) marked.push([block, mark]);
    }
    for (const [block, mark] of marked) this.drawMark(context, block, mark);
    this.drawCopies(context, picture);
    this.outline(context, this.rect(chosen), COLOUR.chosen, [], 3, this.small() ? 4 : 1.5);
  }

  small() { return this.cellWidth < 26; }

  drawHeadings(context) {
    for (const {row, name} of this.headings) label(context, name, 0, row * this.cellHeight + Math.min(14, this.cellHeight));
  }

  drawCell(context, cell, colouring, picture) {
    const {x, y, width, height} = this.rect(cell.block);
    const pages = this.recording.pages;
    if (colouring === 'wear') {
      context.fillStyle = wearColour(this.wear(cell.erases));
      context.fillRect(x, y, width, height);
    } else if (colouring === 'age') {
      const age = this.recording.age(picture, cell.block);
      context.fillStyle = age === null ? COLOUR.free : wearColour(age);
      context.fillRect(x, y, width, height);
    } else {
      vessel(context, x, y, width, height, cell, pages);
    }
    if (cell.state === 'retired') crossedOut(context, x, y, width, height);
    if (this.small()) return;
    context.strokeStyle = COLOUR.edge;
    context.lineWidth = 1;
    context.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1);
    if (width >= 34 && height >= 26) this.write(context, x + 3, y + 12, String(cell.block), 'left');
    if (colouring === 'wear' && width >= 34 && height >= 34)
      this.write(context, x + width - 4, y + height - 5, cell.erases + '×', 'right');
  }

  wear(erases) {
    const {leastErases, mostErases} = this.recording;
    return mostErases === leastErases ? 0 : (erases - leastErases) / (mostErases - leastErases);
  }

  write(context, x, y, text, align) {
    context.textAlign = align;
    context.font = '11px system-ui, "Segoe UI", Roboto, Arial, sans-serif';
    context.lineWidth = 3;
    context.strokeStyle = COLOUR.halo;
    context.strokeText(text, x, y);
    label(context, text, x, y, align, COLOUR.ink);
  }

  drawMark(context, block, mark) {
    const rect = this.rect(block);
    const {x, width, y, height} = rect;
    this.outline(context, rect, mark.colour, this.small() ? [] : mark.dash, this.small() ? 2 : 3, this.small() ? 1.5 : 0);
    if (this.small() || (!mark.in && !mark.out)) return;
    const size = Math.min(14, height * 0.35);
    triangle(context, x + width - size * 0.8, y + size * 0.6, size, Boolean(mark.in), mark.colour);
  }

  outline(context, rect, colour, dash, width, out) {
    context.save();
    context.setLineDash(dash);
    context.lineWidth = width;
    context.strokeStyle = colour;
    context.strokeRect(rect.x - out, rect.y - out, rect.width + 2 * out, rect.height + 2 * out);
    context.restore();
  }

  // Arrows from each victim to the block that receives the copies.
  drawCopies(context, picture) {
    const into = this.recording.open(picture).filter(takesCopies);
    if (into.length !== 1) return;
    for (const cell of this.recording.collecting(picture))
      if (cell.valid > 0) arrow(context, this.middle(cell.block), this.middle(into[0].block), COLOUR.copies);
  }
}

// All pages of the drive as one bar.
function drawWhole(canvas, recording, picture) {
  const {context, width, height} = prepared(canvas);
  const all = recording.blocks * recording.pages;
  const valid = recording.validSum[picture], stale = recording.writtenSum[picture] - valid;
  const parts = [['valid', valid, COLOUR.onValid], ['stale', stale, COLOUR.onStale], ['free', all - valid - stale, COLOUR.ink]];
  let x = 0;
  for (const [name, pages, ink] of parts) {
    const wide = width * pages / all;
    context.fillStyle = COLOUR[name];
    context.fillRect(x, 0, wide, height);
    const text = (100 * pages / all).toFixed(0) + ' % ' + name;
    if (context.measureText(text).width + 6 < wide) label(context, text, x + wide / 2, height / 2 + 4, 'center', ink);
    x += wide;
  }
  context.strokeStyle = COLOUR.edge;
  context.strokeRect(0.5, 0.5, width - 1, height - 1);
}
