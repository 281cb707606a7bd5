// Plays an execution: the document of onager check --json, or one that has its "trace". Knows nothing of models.
'use strict';

function element(name, attributes, ...children) {
    const e = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
        if (key.startsWith('on')) e.addEventListener(key.slice(2), value);
        else if (value !== null && value !== false) e.setAttribute(key, value);
    }
    e.append(...children.filter(child => child !== null && child !== undefined));
    return e;
}

function drawn(name, attributes, ...children) {
    const e = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
    e.append(...children);
    return e;
}

function valueText(value, name) {
    return name !== null && name !== undefined ? name : String(value);
}

// A table of the variables: one row each, elements of arrays side by side; what has changed is marked.
function stateTable(step) {
    const changed = new Set((step.changed || []).map(change => change[0]));
    const rows = Object.entries(step.state).map(([variable, value]) => {
        const names = (step.names || {})[variable];
        const one = (v, n, key) => element('td', {class: changed.has(key) ? 'changed' : null}, valueText(v, n));
        const cells = Array.isArray(value)
            ? value.map((v, i) => one(v, names ? names[i] : null, `${variable}[${i}]`))
            : [one(value, names, variable)];
        return element('tr', {}, element('th', {}, variable), ...cells);
    });
    return element('table', {class: 'state'}, ...rows);
}

function stepText(step) {
    const list = (step.changed || []).map(([what, , to]) => what ? `${what}=${to}` : to);
    return `${step.transition ? step.transition.name : '(initial state)'}  ${list.join(' ')}`;
}

// What a chart says of a step: its name without that of the process, and what it changed if there is room for that.
function stepLabel(trace, step) {
    const who = step.transition.processes, name = step.transition.name;
    if (who.length !== 1 || !name.startsWith(trace.processes[who[0]])) return name;
    const rest = name.slice(trace.processes[who[0]].length).trim();
    return rest || (step.changed || []).slice(0, 3).map(([what, , to]) => `${what}=${to}`).join(' ') || name;
}

// A line down for each process that takes part in something; who takes part in a step is marked there.
function chart(trace, steps, show) {
    const used = [...new Set(steps.flatMap(step => step.transition ? step.transition.processes : []))].sort((a, b) => a - b);
    const longest = Math.max(0, ...used.map(process => trace.processes[process].length));
    const ACROSS = Math.max(120, 16 + 6.5 * longest), LEFT = 30 + ACROSS / 2, DOWN = 24, HEAD = 30;
    const width = LEFT + used.length * ACROSS + 140, height = HEAD + steps.length * DOWN;
    const svg = drawn('svg', {class: 'chart', width, height, viewBox: `0 0 ${width} ${height}`, role: 'img'});
    const x = process => LEFT + used.indexOf(process) * ACROSS;
    const now = drawn('rect', {class: 'now', x: 0, width, height: DOWN, y: 0});
    svg.append(now);
    for (const process of used) {
        svg.append(drawn('line', {class: 'life', x1: x(process), x2: x(process), y1: HEAD - 10, y2: height}));
        svg.append(drawn('text', {x: x(process), y: 14, 'text-anchor': 'middle'}, trace.processes[process]));
    }
    steps.forEach((step, i) => {
        const y = HEAD + i * DOWN, who = step.transition ? step.transition.processes : [];
        const row = drawn('g', {});
        row.append(drawn('text', {x: 28, y: y + 4, 'text-anchor': 'end'}, String(i)));
        if (who.length) {
            const places = who.map(x), first = Math.min(...places), last = Math.max(...places);
            if (first < last) row.append(drawn('line', {x1: first, x2: last, y1: y, y2: y}));
            for (const place of places) row.append(drawn('circle', {cx: place, cy: y, r: 3.5, fill: 'currentColor'}));
            row.append(drawn('text', {x: first + 6, y: y - 4}, stepLabel(trace, step)));
        }
        row.addEventListener('click', () => show(i));
        row.style.cursor = 'pointer';
        svg.append(row);
    });
    return {svg, mark: i => now.setAttribute('y', HEAD + i * DOWN - DOWN / 2 - 2)};
}

// Everything about one execution. Returns the element.
function player(trace) {
    const steps = [...trace.stem, ...trace.cycle], cycleAt = trace.cycle.length ? trace.stem.length : -1;
    const lost = trace.point_of_no_return, last = steps.length - 1;
    let at = 0, timer = null;
    const slider = element('input', {type: 'range', min: 0, max: last, value: 0, 'aria-label': 'step',
        oninput: () => show(Number(slider.value))});
    const count = element('span', {class: 'count'}), state = element('div', {class: 'wide'}), note = element('p', {class: 'note'});
    const items = steps.map((step, i) => element('li', {
        class: [cycleAt >= 0 && i >= cycleAt ? 'cycle' : '', lost !== null && i >= lost ? 'lost' : ''].join(' ').trim() || null,
        onclick: () => show(i)}, element('span', {class: 'n'}, `${i}  `), stepText(step)));
    const list = element('ol', {class: 'steps', start: 0}, ...items), picture = chart(trace, steps, i => show(i));
    const play = element('button', {class: 'play', onclick: () => timer ? stop() : start()}, 'Play');

    function stop() { clearInterval(timer); timer = null; play.textContent = 'Play'; }
    function start() {
        play.textContent = 'Stop';
        if (at === last && cycleAt < 0) show(0);
        timer = setInterval(next, 700);
    }
    function next() {
        if (at < last) show(at + 1);
        else if (cycleAt >= 0) show(cycleAt);
        else stop();
    }
    function show(i) {
        items[at].removeAttribute('aria-current');
        at = Math.max(0, Math.min(last, i));
        items[at].setAttribute('aria-current', 'true');
        list.scrollTop = Math.max(0, items[at].offsetTop - list.offsetTop - 100);
        slider.value = at;
        count.textContent = `${at} / ${last}`;
        state.replaceChildren(stateTable(steps[at]));
        const words = [];
        if (lost !== null && at >= lost) words.push('Progress is impossible from here on.');
        if (cycleAt >= 0 && at === last) words.push(`Then ${trace.closing ? trace.closing.name : ''}, and so on as from ${cycleAt}.`);
        if (steps[at].propositions) words.push(`Holds: ${steps[at].propositions.join(', ') || '(nothing)'}`);
        note.textContent = words.join(' ');
        picture.mark(at);
    }
    const waits = (trace.waits || []).map(row => element('tr', {}, element('td', {}, row.process || ''),
        element('td', {}, row.transition || ''), element('td', {}, row.why || '')));
    const box = element('section', {class: 'execution', tabindex: 0, onkeydown: event => {
        const keys = {ArrowRight: next, ArrowLeft: () => show(at - 1), Home: () => show(0), End: () => show(last)};
        if (!keys[event.key] || event.target === slider) return;
        keys[event.key]();
        event.preventDefault();
    }},
    element('div', {class: 'controls'},
        element('button', {class: 'back', onclick: () => show(at - 1)}, 'Back'), play,
        element('button', {class: 'next', onclick: next}, 'Next'), slider, count),
    element('div', {class: 'player'}, list, element('div', {}, state, note)),
    waits.length ? element('h2', {}, 'Why nothing moves') : null,
    waits.length ? element('table', {class: 'waits'}, ...waits) : null,
    element('h2', {}, 'Sequence chart'), element('div', {class: 'wide'}, picture.svg));
    show(0);
    return box;
}
