// Describes a moment in plain words.

function count(number, noun) {
  return Math.round(number).toLocaleString('en-US') + ' ' + noun + (Math.round(number) === 1 ? '' : 's');
}
function names(cells) {
  const list = cells.map(cell => cell.block);
  if (list.length === 1) return 'block ' + list[0];
  return 'blocks ' + list.slice(0, -1).join(', ') + ' and ' + list[list.length - 1];
}
function capital(text) { return text.charAt(0).toUpperCase() + text.slice(1); }
function takesHost(cell) { return cell.takes.startsWith('host') || cell.takes === 'log' || cell.takes === 'pslc'; }
function takesCopies(cell) { return cell.takes.includes('relocation') || cell.takes === 'merges'; }

class Story {
  constructor(recording) { this.recording = recording; }

  // [{picture, text}] in chronological order: the first occurrence of each event.
  moments() {
    const {recording} = this;
    const first = is => {
      for (let picture = 1; picture < recording.pictures; ++picture) if (is(picture)) return picture;
      return -1;
    };
    const stale = picture => recording.writtenSum[picture] - recording.validSum[picture];
    return [
      {text: 'writing', picture: first(picture => this.amount('host_write_pages', picture) > 0)},
      {text: 'pages go stale', picture: first(picture => stale(picture) > 0.01 * recording.writtenSum[picture])},
      {text: 'first collection', picture: first(picture => this.amount('relocated_pages', picture) > 0)},
      {text: 'first erase', picture: first(picture => recording.erasedSince(picture).length > 0)},
      {text: 'TRIM', picture: first(picture => this.amount('trimmed_pages', picture) > 0)},
      {text: 'end', picture: recording.pictures - 1}
    ].filter(moment => moment.picture > 0).sort((a, b) => a.picture - b.picture);
  }

  // The first picture to show: the start of collection, or else of writing.
  opening() {
    const moments = new Map(this.moments().map(({text, picture}) => [text, picture]));
    return moments.get('first collection') || moments.get('writing') || 0;
  }

  // Amount since the previous picture.
  amount(list, picture) { return this.recording.host[list][picture] || 0; }

  now(picture) {
    if (picture === 0) return this.begin();
    const parts = [this.host(picture), this.collection(picture), this.erased(picture), this.need(picture)];
    return parts.filter(Boolean).join(' ');
  }

  begin() {
    const free = this.recording.host.free_superblocks[0];
    const all = this.recording.blocks;
    if (free === all) return 'A new drive: all ' + count(all, 'block') + ' are erased, every page is free. Press Play.';
    return count(free, 'block') + ' of ' + all + ' are free. Press Play.';
  }

  host(picture) {
    const trimmed = this.amount('trimmed_pages', picture);
    const written = this.amount('host_write_pages', picture);
    if (trimmed > 0) {
      return 'TRIM: the host no longer needs ' + count(trimmed, 'page') +
        '. They become stale at once, without any write.';
    }
    if (written === 0) {
      return this.amount('read_MB_per_s', picture) > 0 ? 'The host only reads: no page moves.' : 'The host is idle.';
    }
    const into = this.recording.open(picture).filter(takesHost);
    const where = into.length > 0 && into.length < 4 ? names(into) : 'the open blocks';
    const grown = this.recording.host.mapped_pages[picture] - this.recording.host.mapped_pages[picture - 1];
    if (grown > 0.9 * written)
      return 'The host writes ' + count(written, 'new page') + ' into ' + where + ': free pages become valid.';
    return 'The host overwrites ' + count(written, 'page') + ': the new copies go to ' + where +
      ', the old ones become stale where they lie.';
  }

  collection(picture) {
    const victims = this.recording.collecting(picture);
    if (victims.length === 0) return '';
    if (victims.length > 3) return count(victims.length, 'block') + ' are being collected.';
    return victims.map(cell => this.victim(picture, cell)).join(' ');
  }

  victim(picture, cell) {
    if (cell.valid === 0) return capital(names([cell])) + ' has no valid pages left and is erased next.';
    const into = this.recording.open(picture).filter(takesCopies);
    const where = into.length > 0 && into.length < 4 ? ' into ' + names(into) : '';
    const before = this.validBefore(picture, cell.block);
    return 'Collecting ' + names([cell]) + ': of its ' + this.recording.pages + ' pages ' + before + ' were still valid; ' +
      cell.valid + ' of them still have to be copied' + where + ', then it is erased.';
  }

  // Valid pages in the last picture before the collection of the block began.
  validBefore(picture, block) {
    let before = picture;
    while (before > 0 && ['collecting', 'emptied'].includes(this.recording.cell(before, block).state)) --before;
    return this.recording.cell(before, block).valid;
  }

  erased(picture) {
    const erased = this.recording.erasedSince(picture);
    if (erased.length === 0) return '';
    if (erased.length > 3) return count(erased.length, 'block') + ' were erased: their pages are free again.';
    const were = erased.length === 1 ? ' was erased: its' : ' were erased: their';
    return capital(names(erased)) + were + ' pages are free again.';
  }

  // Says why nothing is being collected.
  need(picture) {
    const free = this.recording.host.free_superblocks[picture];
    const start = this.recording.gc.start_free_superblocks;
    const busy = this.amount('relocated_pages', picture) > 0 || this.recording.collecting(picture).length > 0;
    if (!busy && free > start) return 'Enough blocks are free: nothing has to be collected.';
    return '';
  }

  cost(picture) {
    if (picture === 0) return '';
    const copied = this.amount('relocated_pages', picture);
    const written = this.amount('host_write_pages', picture);
    const wa = this.recording.host.wa[picture];
    const free = this.recording.host.free_superblocks[picture];
    const few = free <= this.recording.gc.start_free_superblocks;
    const room = free === 0 ? 'No block is free: the drive must collect.' :
      few ? 'Only ' + count(free, 'block') + ' free: the drive must collect.' : count(free, 'block') + ' free.';
    if (written === 0) return room;
    // Map, parity, padding: pages that are neither the host's nor copied.
    const others = wa === null ? 0 : Math.round((wa - 1) * written) - copied;
    const more = others > 0.05 * written ? ', ' + others.toLocaleString('en-US') + ' more were written for the map, parity or padding' : '';
    return 'In these ' + secondsText(this.recording.everyS) + ' the host wrote ' + count(written, 'page') +
      ' and the drive copied ' + (copied === 0 ? 'none' : copied.toLocaleString('en-US')) + more + ': write amplification ' +
      (wa === null ? '–' : wa.toFixed(2)) + '. ' + room;
  }

  latency(picture) {
    const parts = [];
    for (const word of ['write', 'read']) {
      const mean = this.recording.host['latency_' + word + '_us_mean'][picture];
      if (mean === null) continue;
      const worst = this.recording.host['latency_' + word + '_us_p99'][picture];
      parts.push('a ' + word + ' takes ' + milliseconds(mean) + ' (99 % within ' + milliseconds(worst) + ')');
    }
    return parts.length === 0 ? 'Now the host neither reads nor writes.' : 'For the host now ' + parts.join(', ') + '.';
  }
}

function milliseconds(us) {
  if (us < 1000) return us.toFixed(0) + ' µs';
  return us < 1e6 ? Number((us / 1e3).toPrecision(3)) + ' ms' : Number((us / 1e6).toPrecision(3)) + ' s';
}
function secondsText(s) {
  if (s >= 0.1) return Number(s.toPrecision(4)) + ' s';
  return s >= 1e-4 ? Number((s * 1e3).toPrecision(4)) + ' ms' : Number((s * 1e6).toPrecision(4)) + ' µs';
}
