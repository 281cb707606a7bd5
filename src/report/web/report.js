// The page of --html and of --trace-file X.html: a document of onager, for people.
'use strict';

function bars(rows) {
    const most = Math.max(1, ...rows.map(row => row[1]));
    return element('table', {class: 'bars'}, ...rows.map(([name, n]) => {
        const bar = element('div', {class: 'bar'});
        bar.style.width = `${100 * n / most}%`;
        return element('tr', {class: n === 0 ? 'missed' : null}, element('td', {}, name), element('td', {}, String(n)),
            element('td', {}, bar));
    }));
}

function facts(d) {
    const rows = [['states', d.states], ['edges', d.edges], ['terminal states', d.terminal_states], ['depth', d.depth],
        ['seconds', d.time_s], ['checked', (d.checks || []).join(', ') || null],
        ['parameters', Object.entries(d.parameters || {}).map(([k, v]) => `${k}=${v}`).join(' ') || null],
        ['process', d.process], ['note', d.note], ['onager', d.onager]].filter(row => row[1] !== undefined && row[1] !== null);
    return element('table', {class: 'facts'}, ...rows.map(([k, v]) => element('tr', {}, element('th', {}, k),
        element('td', {}, String(v)))));
}

function coverage(c, body) {
    const lists = [['variables that never change', c.unchanged],
        ...Object.entries(c.untaken || {}).map(([v, list]) => [`values that ${v} never takes`, list]),
        ['propositions that never hold', c.propositions.filter(p => p.states === 0).map(p => p.name)]];
    body.append(element('h2', {}, 'Coverage: how often each transition fires'), bars(c.transitions.map(t => [t.name, t.fired])));
    for (const [what, list] of lists) if (list.length) body.append(element('p', {}, `${what}: ${list.join(', ')}`));
    if (c.levels.length) body.append(element('h2', {}, 'States per level'), bars(c.levels.map((n, i) => [String(i), n])));
}

function report(d) {
    const body = document.body;
    body.append(element('h1', {}, `onager: ${d.model || 'an execution'}`));
    if (d.verdict) body.append(element('p', {class: `verdict ${d.verdict}`},
        [d.verdict, d.property, d.message].filter(Boolean).join(': ')));
    if (d.trace) body.append(element('h2', {}, 'Execution'), player(d.trace));
    body.append(element('h2', {}, 'Facts'), facts(d));
    if (d.coverage) coverage(d.coverage, body);
    else if (d.never_fired && d.never_fired.length) body.append(element('h2', {}, 'Never fired'),
        element('p', {}, d.never_fired.join(', ')));
    if (d.reproduce) body.append(element('h2', {}, 'How to reproduce'), element('pre', {}, d.reproduce));
}

report(JSON.parse(document.getElementById('document').textContent));
