// The decoded pictures: columns as typed arrays, with one row of superblocks per picture.

// The lists of whole numbers in a text (__init__.py).
function unpacked(text) {
  const bytes = atob(text), lists = [];
  let at = 0;
  const next = () => {
    let number = 0, scale = 1, byte = 128;
    for (; byte > 127; scale *= 128) {
      byte = bytes.charCodeAt(at++);
      number += (byte & 127) * scale;
    }
    return number % 2 ? -(number + 1) / 2 : number / 2;
  };
  while (at < bytes.length) lists.push(Array.from({length: next()}, next));
  return lists;
}

function decodeColumn(text, superblocks, ArrayKind) {
  const lists = unpacked(text);
  const cells = new ArrayKind(lists.length * superblocks);
  const now = new Int32Array(superblocks);
  lists.forEach((runs, picture) => {
    for (let i = 0, block = 0; i < runs.length;) {
      block += runs[i++];
      for (let left = runs[i++]; left > 0; --left) now[block++] += runs[i++];
    }
    cells.set(now, picture * superblocks);
  });
  return cells;
}

class Recording {
  constructor(data) {
    Object.assign(this, {
      drive: data.drive, blocks: data.superblocks, pages: data.superblock_pages,
      firstDies: data.first_dies, diesOfBlock: data.dies_per_superblock, states: data.states, frontiers: data.frontiers, gc: data.gc, pictures: data.pictures, host: data.host,
      phases: data.phases, fromS: data.from_ns / 1e9, everyS: data.every_ns / 1e9
    });
    const kinds = {valid: Uint32Array, written: Uint32Array, state: Uint8Array, erases: Uint32Array, frontier: Uint8Array};
    for (const name of Object.keys(kinds)) this[name] = decodeColumn(data.columns[name], this.blocks, kinds[name]);
    this.sumUp();
    this.findOpenings();
  }

  // For each picture and superblock: the picture in which its oldest data appeared, -1 if it holds none.
  findOpenings() {
    this.openedAt = new Int32Array(this.written.length).fill(-1);
    for (let at = 0; at < this.written.length; ++at) {
      if (this.written[at] === 0) continue;
      const before = at - this.blocks;
      const goes = before >= 0 && this.openedAt[before] >= 0 && this.erases[before] === this.erases[at];
      this.openedAt[at] = goes ? this.openedAt[before] : Math.floor(at / this.blocks);
    }
  }
  firstDie(block) { return this.firstDies[block % this.firstDies.length]; }
  diesText(block) {
    const first = this.firstDie(block), last = first + this.diesOfBlock - 1;
    return first === last ? 'die ' + first : 'dies ' + first + ' to ' + last;
  }
  // Age of the superblock's oldest data as a share of the recording's length; null if it holds none.
  age(picture, block) {
    const opened = this.openedAt[picture * this.blocks + block];
    return opened < 0 ? null : (picture - opened) / Math.max(1, this.pictures - 1);
  }

  // Page totals of the whole drive by picture, and the range of erase counts.
  sumUp() {
    this.validSum = new Float64Array(this.pictures);
    this.writtenSum = new Float64Array(this.pictures);
    this.leastErases = Infinity;
    this.mostErases = 0;
    for (let at = 0; at < this.valid.length; ++at) {
      const picture = Math.floor(at / this.blocks);
      this.validSum[picture] += this.valid[at];
      this.writtenSum[picture] += this.written[at];
      this.leastErases = Math.min(this.leastErases, this.erases[at]);
      this.mostErases = Math.max(this.mostErases, this.erases[at]);
    }
  }

  timeOf(picture) { return this.fromS + picture * this.everyS; }
  pictureAt(time) {
    return Math.max(0, Math.min(this.pictures - 1, Math.round((time - this.fromS) / this.everyS)));
  }
  phaseAt(picture) {
    const time = this.timeOf(picture);
    return this.phases.find(phase => time < phase.to_s) || this.phases[this.phases.length - 1];
  }

  cell(picture, block) {
    const at = picture * this.blocks + block;
    return {
      block, valid: this.valid[at], stale: this.written[at] - this.valid[at], free: this.pages - this.written[at],
      state: this.states[this.state[at]], erases: this.erases[at], takes: this.takes(this.frontier[at])
    };
  }
  takes(frontier) { return frontier === 0 ? '' : this.frontiers[frontier - 1].takes; }

  // The superblocks of a picture for which is(cell) is true.
  which(picture, is) {
    const found = [];
    for (let block = 0; block < this.blocks; ++block) {
      const cell = this.cell(picture, block);
      if (is(cell)) found.push(cell);
    }
    return found;
  }
  collecting(picture) { return this.which(picture, cell => cell.state === 'collecting' || cell.state === 'emptied'); }
  open(picture) { return this.which(picture, cell => cell.state === 'open'); }
  erasedSince(picture) {
    const before = (picture - 1) * this.blocks;
    if (picture === 0) return [];
    return this.which(picture, cell => cell.erases > this.erases[before + cell.block]);
  }
}
