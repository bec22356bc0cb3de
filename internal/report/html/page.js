(() => {
"use strict";

const data = JSON.parse(document.getElementById("timelines").textContent);
const table = document.getElementById("sessions");
const body = table.tBodies[0];
const further = document.getElementById("further"); // the rows after the first page
const size = body.rows.length; // of a page
const rows = [...body.rows, ...(further ? further.content.querySelectorAll("tr") : [])];
const opened = new Map(); // row → the parts of its detail
const root = document.documentElement;

// make builds an element. Text is set as text, never as HTML.
function make(tag, properties = {}, ...children) {
	const e = Object.assign(document.createElement(tag), properties);
	e.append(...children);
	return e;
}

const ink = name => getComputedStyle(root).getPropertyValue("--" + name).trim();
const two = n => String(n).padStart(2, "0");
function clock(ms) {
	const t = new Date(ms);
	return `${two(t.getUTCHours())}:${two(t.getUTCMinutes())}:${two(t.getUTCSeconds())}`;
}
const instant = ms => new Date(ms).toISOString().slice(0, 10) + " " + clock(ms) + "Z";
const commas = n => n.toLocaleString("en-US");
function brief(n) {
	for (const [size, unit] of [[1e9, "G"], [1e6, "M"], [1e3, "k"]]) {
		if (n >= size) return +(n / size).toPrecision(3) + unit;
	}
	return String(n);
}
const counted = (n, what) => commas(n) + " " + what + (n === 1 ? "" : "s");

// ---- the table: search, sorting, keys

const search = document.getElementById("search");
const found = document.getElementById("found");
const matching = document.getElementById("matching");
const button = row => row.querySelector(".open");
const timeline = row => data.sessions[row.id.slice("session-".length) - 1];

const haystacks = new Map(); // row → what is searched in it
function haystack(row) {
	if (!haystacks.has(row)) {
		const s = timeline(row);
		const words = [s.id, s.agent, s.branch, row.textContent, ...s.logs, ...s.visits.map(v => v.phase), ...s.marks.map(m => m.rule)];
		haystacks.set(row, words.join("\n").toLowerCase());
	}
	return haystacks.get(row);
}

let fitting = rows; // the rows that match the search
let first = 0; // of the page, among them

function filter() {
	const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
	fitting = rows.filter(row => words.every(word => haystack(row).includes(word)) && !(found.checked && row.lastElementChild.dataset.value === "0"));
	matching.textContent = fitting.length === rows.length ? counted(rows.length, "session") : `${commas(fitting.length)} of ${counted(rows.length, "session")}`;
	turn(0);
}

const earlier = make("button", { type: "button", onclick: () => step(-size) }, "Previous");
const later = make("button", { type: "button", onclick: () => step(size) }, "Next");
const range = make("span");
const pages = make("nav", { className: "pages", ariaLabel: "Pages of sessions" }, earlier, range, later);
table.after(pages);

// turn shows the page of the table that begins with a row that matches.
function turn(to) {
	first = to;
	const shown = fitting.slice(first, first + size);
	body.replaceChildren(...shown.flatMap(row => opened.has(row) ? [row, opened.get(row).row] : [row]));
	for (const row of shown) opened.get(row)?.draw();
	pages.hidden = fitting.length <= size;
	range.textContent = `${commas(first + 1)}–${commas(first + shown.length)} of ${commas(fitting.length)}`;
	earlier.disabled = first === 0;
	later.disabled = first + size >= fitting.length;
}

function step(by) {
	turn(first + by);
	if (document.activeElement === document.body || document.activeElement.disabled) (by > 0 ? earlier : later).focus(); // the last page, or the first
	table.scrollIntoView({ block: "start" });
}

// reveal turns to the page of a row that matches.
function reveal(row) {
	if (row.parentElement !== body) turn(Math.floor(fitting.indexOf(row) / size) * size);
}
search.addEventListener("input", filter);
found.addEventListener("change", filter);
document.getElementById("tools").addEventListener("submit", e => e.preventDefault());

const heads = [...table.tHead.rows[0].cells];
function order(column) {
	const head = heads[column];
	const numeric = column >= 3;
	// Numbers sort descending at first, times ascending.
	const first = numeric && column !== 3 ? "descending" : "ascending";
	const other = first === "ascending" ? "descending" : "ascending";
	const way = head.getAttribute("aria-sort") === first ? other : first;
	for (const h of heads) h.removeAttribute("aria-sort");
	head.setAttribute("aria-sort", way);
	const sign = way === "ascending" ? 1 : -1;
	const value = row => row.cells[column].dataset.value;
	rows.sort((a, b) => {
		const x = value(a), y = value(b);
		const by = numeric ? x - y : x < y ? -1 : x > y ? 1 : 0;
		return sign * by || a.id.slice(8) - b.id.slice(8);
	});
	filter();
}
heads.forEach((head, column) => head.firstElementChild.addEventListener("click", () => order(column)));

body.addEventListener("click", e => {
	const b = e.target.closest(".open");
	if (b) toggle(b.closest("tr"));
});
body.addEventListener("keydown", e => {
	if (e.altKey || e.ctrlKey || e.metaKey) return;
	const row = e.target.closest("tr");
	if (e.target.classList.contains("open")) {
		const at = fitting.indexOf(row);
		const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: fitting.length - 1 }[e.key];
		if (to === undefined) return;
		e.preventDefault();
		if (!fitting[to]) return;
		reveal(fitting[to]);
		button(fitting[to]).focus();
	} else if (e.key === "Escape" && row.classList.contains("detail")) {
		button(row.previousElementSibling).focus();
	}
});

function toggle(row) {
	const there = opened.get(row);
	button(row).setAttribute("aria-expanded", String(!there));
	if (there) {
		there.close();
		opened.delete(row);
		return;
	}
	const d = detail(timeline(row), row);
	d.row.id = "detail-" + row.id.slice(8);
	button(row).setAttribute("aria-controls", d.row.id);
	opened.set(row, d);
	row.after(d.row);
	d.draw();
}

// A link to a session opens it, and one to a finding shows its time.
function follow() {
	const [name, time] = location.hash.split("@");
	const row = rows.find(r => "#" + r.id === name);
	if (!row) return;
	if (!fitting.includes(row)) {
		search.value = "";
		found.checked = false;
		filter();
	}
	reveal(row);
	if (!opened.has(row)) toggle(row);
	button(row).focus({ preventScroll: true });
	if (time) opened.get(row).show(time - timeline(row).start);
	row.scrollIntoView({ block: "start" });
}
addEventListener("hashchange", follow);
document.addEventListener("click", e => {
	const a = e.target.closest('a[href^="#session-"]');
	if (!a) return;
	e.preventDefault();
	location.hash = a.hash;
	follow();
});

// ---- the other tables

// sortable lets the heads of a table sort its rows: numbers descending at first, texts ascending.
function sortable(table) {
	const heads = [...table.tHead.rows[0].cells], lines = [...table.tBodies[0].rows];
	const value = (line, column) => line.cells[column].dataset.value ?? line.cells[column].textContent;
	const number = text => text === "" ? 0 : Number(text.replaceAll(",", "")); // NaN: unknown
	heads.forEach((head, column) => {
		const numeric = head.classList.contains("number");
		const button = make("button", { type: "button" }, head.textContent);
		button.addEventListener("click", () => {
			const first = numeric ? "descending" : "ascending", other = numeric ? "ascending" : "descending";
			const way = head.getAttribute("aria-sort") === first ? other : first;
			for (const h of heads) h.removeAttribute("aria-sort");
			head.setAttribute("aria-sort", way);
			const sign = way === "ascending" ? 1 : -1;
			const compare = (x, y) => numeric ? number(x) - number(y) || isNaN(number(y)) - isNaN(number(x)) : x < y ? -1 : x > y ? 1 : 0;
			table.tBodies[0].append(...lines.toSorted((a, b) => sign * compare(value(a, column), value(b, column))));
		});
		head.replaceChildren(button);
	});
}
for (const t of document.querySelectorAll("table.sums")) sortable(t);

// ---- one session

const laneNames = ["other", "reads", "edits", "commands", "prompts"];
const laneWords = ["tool", "read", "edit", "command", "prompt"];

function detail(s, of) {
	const facts = make("dl", { className: "facts" });
	const fact = (name, value) => value && facts.append(make("div", {}, make("dt", {}, name), make("dd", {}, value)));
	fact("id", s.id);
	fact("agent", s.agent);
	fact("branch", s.branch);
	heads.forEach((h, i) => { // columns that a narrow window hides
		if (i > 2 && !h.offsetWidth) fact(h.textContent.toLowerCase(), of.cells[i].textContent);
	});
	fact(s.logs.length === 1 ? "log" : "logs", s.logs.join(", "));
	const cell = make("td", {}, facts);
	const row = make("tr", { className: "detail" }, cell);
	const chart = s.at.length + s.tokens_at.length + s.marks.filter(m => m.at >= 0).length > 0 ? timelineChart(s) : null;
	if (chart) cell.append(chart.element);
	else cell.append(make("p", { className: "none" }, "The log has no events with a time."));
	if (s.marks.length) cell.append(make("h4", {}, "Findings"), findingList(s));
	if (s.visits.length) cell.append(make("h4", {}, s.visits.some(v => v.phase) ? "Visits of phases" : "The session"), visitTable(s));
	if (s.diagnostics.length) {
		cell.append(make("h4", {}, "Log problems"), make("ul", { className: "plain" }, ...s.diagnostics.map(d => make("li", {}, make("code", {}, d)))));
	}
	return {
		row,
		draw: () => {
			cell.colSpan = heads.filter(h => h.offsetWidth).length; // narrow windows have fewer columns
			if (chart) chart.draw();
		},
		show: ms => { if (chart) chart.show(ms); },
		close: () => { if (chart) chart.close(); row.remove(); },
	};
}

function findingList(s) {
	return make("ul", { className: "findings" }, ...s.marks.map(m => make("li", {},
		make("span", { className: m.level }, m.waived ? "waived" : m.level), " ", make("b", {}, m.rule), ": " + m.text)));
}

function visitTable(s) {
	const names = ["Phase", "Start", "Lasted", "Commands", "Edits", "Tokens in + out", "Findings"];
	const head = make("tr", {}, ...names.map((n, i) => make("th", { scope: "col", className: i > 1 ? "number" : "" }, n)));
	const lines = s.visits.map(v => {
		const cells = [v.phase || "–", v.started || "–", v.lasted || "–", commas(v.commands), commas(v.edits), v.tokens, commas(v.findings)]
			.map((text, i) => make("td", { className: (i > 1 ? "number" : "") + (i === 6 && v.findings ? " found" : "") }, text));
		cells[2].dataset.value = v.lasted ? v.end - v.at : "unknown";
		return make("tr", {}, ...cells);
	});
	const table = make("table", { className: "visits" }, make("thead", {}, head), make("tbody", {}, ...lines));
	sortable(table);
	return make("div", { className: "scroll" }, table);
}

// ---- its timeline

function timelineChart(s) {
	const seconds = ms => (s.start + ms) / 1000;
	const all = [seconds(0), seconds(s.span)];
	const ends = [seconds(-s.span / 80), seconds(s.span * 81 / 80)];
	const failed = new Set(s.failed);
	const marks = s.marks.filter(m => m.at >= 0).sort((a, b) => a.at - b.at);
	const now = make("div", { className: "now" });
	const strip = make("div", { className: "marks" });
	const slider = make("div", { className: "chart", tabIndex: 0 });
	const set = (name, value) => slider.setAttribute(name, value);
	set("role", "slider");
	set("aria-label", "Timeline of the session");
	set("aria-valuemin", "0");
	set("aria-valuemax", String(Math.max(0, s.at.length - 1)));
	set("aria-valuenow", "0");
	set("aria-valuetext", "no event chosen");
	const element = make("div", {}, strip, slider, now, legend());
	let plots = [], at = -1, quiet = false;

	const start = () => {
		const shown = s.at.length < s.all ? `${commas(s.at.length)} of ${counted(s.all, "event")} are shown.` : counted(s.all, "event") + ".";
		now.textContent = shown + " Choose one with the arrow keys or the pointer; drag to look closer, double-click to look at all again.";
	};
	start();

	function say(i) {
		const text = `${instant(s.start + s.at[i])} ${laneWords[s.lane[i]]}${failed.has(i) ? " (failed)" : ""}`;
		const what = data.texts[s.text[i]];
		const place = s.logs[s.log[i]] ? s.logs[s.log[i]] + (s.line[i] ? ":" + s.line[i] : "") : "";
		now.replaceChildren(make("b", {}, text), " ", make("code", {}, what), make("br"), make("span", { className: "id" }, place));
		set("aria-valuenow", String(i));
		set("aria-valuetext", `${text} ${what}`);
	}
	function sayMark(m) {
		now.replaceChildren(make("b", { className: m.level }, `${instant(s.start + m.at)} ${m.waived ? "waived" : m.level}: ${m.rule}`), make("br"), m.text);
		set("aria-valuetext", `finding: ${m.rule}: ${m.text}`);
	}
	function point(ms, lane) {
		quiet = true;
		const p = plots[0];
		if (seconds(ms) < p.scales.x.min || seconds(ms) > p.scales.x.max) zoom(ends[0], ends[1]);
		p.setCursor({ left: p.valToPos(seconds(ms), "x"), top: lane === undefined ? 0 : p.valToPos(lane, "lane") }, true, true);
		quiet = false;
	}
	function choose(i) {
		at = Math.max(0, Math.min(s.at.length - 1, i));
		point(s.at[at], s.lane[at]);
		say(at);
	}
	function chooseMark(m) {
		const after = s.at.findIndex(t => t >= m.at);
		at = after < 0 ? s.at.length - 1 : after;
		point(m.at);
		sayMark(m);
		return m;
	}
	let lastMark = -1;
	slider.addEventListener("keydown", e => {
		if (e.altKey || e.ctrlKey || e.metaKey) return;
		const to = { ArrowRight: at + 1, ArrowLeft: at - 1, PageDown: at + 10, PageUp: at - 10, Home: 0, End: s.at.length - 1 }[e.key];
		if (to !== undefined && s.at.length) {
			e.preventDefault();
			lastMark = -1;
			choose(to);
		} else if (e.key.toLowerCase() === "n" && marks.length) {
			e.preventDefault();
			const past = at < 0 ? -1 : s.at[at];
			lastMark = lastMark >= 0 ? (lastMark + 1) % marks.length : Math.max(0, marks.findIndex(m => m.at > past));
			chooseMark(marks[lastMark]);
		}
	});
	const buttons = marks.map(m => {
		const b = make("button", { type: "button", className: m.level + (m.waived ? " waived" : ""), title: `${m.rule}: ${m.text}` }, "▼");
		b.setAttribute("aria-label", `Finding at ${instant(s.start + m.at)}: ${m.rule}: ${m.text}`);
		b.addEventListener("click", () => chooseMark(m));
		b.addEventListener("focus", () => chooseMark(m));
		return b;
	});
	strip.append(...buttons);

	function zoom(min, max) {
		for (const p of plots) p.setScale("x", { min, max });
	}
	// place moves the marks to the times at which their rules fire.
	function place() {
		const p = plots[0];
		if (!p) return;
		const left = p.bbox.left / devicePixelRatio, width = p.bbox.width / devicePixelRatio;
		marks.forEach((m, i) => {
			const x = p.valToPos(seconds(m.at), "x");
			buttons[i].hidden = x < -1 || x > width + 1;
			buttons[i].style.left = left + x + "px";
		});
	}
	function bands(u) {
		const { ctx, bbox } = u;
		const scale = devicePixelRatio;
		ctx.save();
		ctx.beginPath();
		ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
		ctx.clip();
		s.visits.forEach((v, i) => {
			const from = u.valToPos(seconds(v.at), "x", true), to = u.valToPos(seconds(v.end), "x", true);
			ctx.fillStyle = ink(i % 2 ? "band-b" : "band-a");
			ctx.fillRect(from, bbox.top, Math.max(to - from, 1), bbox.height);
			if (u !== plots[0] && plots.length || !v.phase) return;
			const left = Math.max(from, bbox.left), room = Math.min(to, bbox.left + bbox.width) - left - 8 * scale;
			ctx.font = `600 ${11 * scale}px system-ui, sans-serif`;
			ctx.fillStyle = ink("faint");
			ctx.textAlign = "left";
			ctx.textBaseline = "top";
			let name = v.phase;
			while (name && ctx.measureText(name + "…").width > room) name = name.slice(0, -1);
			if (name) ctx.fillText(name === v.phase ? name : name + "…", left + 4 * scale, bbox.top + 3 * scale);
		});
		ctx.restore();
	}
	function lines(u) {
		const { ctx, bbox } = u;
		ctx.save();
		ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
		ctx.lineWidth = devicePixelRatio;
		for (const m of marks) {
			const x = u.valToPos(seconds(m.at), "x", true);
			if (x < bbox.left - 1 || x > bbox.left + bbox.width + 1) continue;
			ctx.strokeStyle = ink(m.level);
			ctx.beginPath();
			ctx.moveTo(x, bbox.top);
			ctx.lineTo(x, bbox.top + bbox.height);
			ctx.stroke();
		}
		ctx.restore();
	}
	const ticks = (u, splits, axis, space, step) => splits.map(t => {
		const day = s.span > 86_400_000 ? new Date(t * 1000).toISOString().slice(5, 10) + " " : "";
		return day + clock(t * 1000).slice(0, step < 60 ? 8 : 5);
	});

	function draw() {
		for (const p of plots) p.destroy();
		plots = [];
		if (!slider.clientWidth) return; // on no shown page
		const width = Math.max(200, slider.clientWidth);
		const narrow = width < 500;
		const side = narrow ? 62 : 76;
		const font = (narrow ? 10 : 11) + "px system-ui, sans-serif";
		const line = { stroke: ink("grid"), width: 1 };
		const time = { size: 30, stroke: ink("faint"), font, grid: line, ticks: { show: false }, values: ticks, space: s.span > 86_400_000 ? 90 : 70 };
		const common = {
			width,
			legend: { show: false },
			tzDate: t => uPlot.tzDate(new Date(t * 1000), "Etc/UTC"),
			padding: [4, narrow ? 8 : 14, 0, 0],
		};
		const cursor = { y: false, points: { show: false }, sync: { key: "session " + s.id + s.agent }, drag: { x: true, y: false, setScale: true } };
		const pin = values => [null, ...values, null];
		const laneSeries = laneNames.map((_, lane) => ({
			scale: "lane", paths: () => null, points: { show: true, size: 7, width: 0, fill: ink("lane-" + lane), stroke: ink("lane-" + lane) },
		}));
		laneSeries.push({ scale: "lane", paths: () => null, points: { show: true, size: 10, width: 2, fill: "transparent", stroke: ink("error") } });
		const lanes = new uPlot({
			...common,
			height: 178,
			cursor: { ...cursor, points: { size: 15, width: 2, fill: "transparent", stroke: ink("ink") } },
			scales: { x: { time: true }, lane: { range: [-0.6, 5.2] } },
			series: [{}, ...laneSeries],
			axes: [
				{ ...time, show: !s.tokens_at.length },
				{ scale: "lane", stroke: ink("faint"), font, size: side, grid: line, ticks: { show: false }, splits: () => [0, 1, 2, 3, 4], values: () => laneNames },
			],
			hooks: {
				drawClear: [bands], draw: [lines, place],
				setCursor: [u => {
					const i = u.cursor.idx;
					if (quiet || i == null || u.cursor.left < 0 || i < 1 || i > s.at.length) return;
					at = i - 1;
					say(at);
				}],
			},
		}, [
			[ends[0], ...s.at.map(seconds), ends[1]],
			...laneNames.map((_, lane) => pin(s.lane.map(l => l === lane ? l : null))),
			pin(s.lane.map((l, i) => failed.has(i) ? l : null)),
		], slider);
		plots.push(lanes);
		if (s.tokens_at.length) {
			const cached = s.cached.at(-1) > 0;
			const amounts = (u, splits) => splits.map(brief);
			plots.push(new uPlot({
				...common,
				height: 130,
				cursor,
				scales: { x: { time: true }, spent: { range: (u, min, max) => [0, Math.max(max, 1) * 1.08] }, cached: { range: (u, min, max) => [0, Math.max(max, 1) * 1.08] } },
				series: [
					{},
					{ scale: "spent", stroke: ink("spent"), fill: ink("spent-fill"), width: 2, paths: uPlot.paths.stepped({ align: 1 }), points: { show: false } },
					...(cached ? [{ scale: "cached", stroke: ink("cached"), width: 2, dash: [6, 4], paths: uPlot.paths.stepped({ align: 1 }), points: { show: false } }] : []),
				],
				axes: [
					time,
					{ scale: "spent", stroke: ink("spent"), font, size: side, grid: line, ticks: { show: false }, values: amounts, space: 35 },
					...(cached ? [{ scale: "cached", side: 1, stroke: ink("cached"), font, size: narrow ? 44 : 56, grid: { show: false }, ticks: { show: false }, values: amounts, space: 35 }] : []),
				],
				hooks: { drawClear: [bands], draw: [lines] },
			}, [
				[ends[0], all[0], ...s.tokens_at.map(seconds), all[1], ends[1]],
				pin([0, ...s.spent, s.spent.at(-1)]),
				...(cached ? [pin([0, ...s.cached, s.cached.at(-1)])] : []),
			], slider));
			if (cached) lanes.setSize({ width: width - (narrow ? 44 : 56), height: 178 });
		}
		// uPlot lays charts out in its own microtask, which comes first.
		queueMicrotask(() => { if (at >= 0 && plots.length) point(s.at[at], s.lane[at]); });
	}
	// show chooses the finding at a time, after the charts are laid out.
	const show = ms => queueMicrotask(() => {
		const distance = m => Math.abs(m.at - ms);
		if (marks.length && plots.length) chooseMark(marks.reduce((a, b) => distance(b) < distance(a) ? b : a));
	});
	return { element, draw, show, close: () => { for (const p of plots) p.destroy(); plots = []; } };
}

function legend() {
	const item = (className, text) => make("li", {}, make("i", { className }), text);
	return make("ul", { className: "legend" },
		item("swatch-finding", "a rule fires"), item("swatch-failed", "failed"),
		item("line swatch-spent", "tokens in + out so far"), item("line swatch-cached", "cache tokens so far"));
}

// Charts take their colours and their width when they are drawn.
const redraw = () => { for (const d of opened.values()) d.draw(); };
let width = innerWidth;
addEventListener("resize", () => {
	if (innerWidth === width) return;
	width = innerWidth;
	redraw();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
let folded = []; // details that are opened for printing only
addEventListener("beforeprint", () => {
	root.classList.add("printing");
	folded = [...document.querySelectorAll("details:not([open])")];
	for (const d of folded) d.open = true;
	redraw();
});
addEventListener("afterprint", () => {
	root.classList.remove("printing");
	for (const d of folded) d.open = false;
	redraw();
});

filter();
follow();
})();
