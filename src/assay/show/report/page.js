"use strict";
(() => {
  const find = (id) => document.getElementById(id);
  const data = JSON.parse(find("data").textContent);
  const SVG = "http://www.w3.org/2000/svg";
  const IDEAL = -1;

  // Every string goes in as text, characters that could steer it spelled out.
  const shown = (text) => text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (c) => `\\u${c.codePointAt(0).toString(16).padStart(4, "0")}`);
  const make = (tag, name, text) => {
    const element = document.createElement(tag);
    if (name) element.className = name;
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const drawn = (tag, attributes) => {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };
  const option = (value, text) => {
    const element = make("option", "", text);
    element.value = value;
    return element;
  };
  const fill = (select, options) => select.replaceChildren(...options);
  const fixed = (value, digits = 4) => (value === null || value === undefined ? "–" : value.toFixed(digits).replace(/^-(0\.0*)$/, "$1"));
  const signed = (value, digits = 3) => (value > 0 ? "+" : "") + fixed(value, digits).replace("-", "−");
  const probability = (p) => (p === null ? "–" : p < 0.001 ? "< .001" : p > 0.9995 ? "1" : p.toFixed(3).replace(/^0/, ""));

  // ---------------------------------------------------------------- tables that sort

  for (const table of document.querySelectorAll("table.sorts")) {
    const said = find("sorted");
    const body = table.tBodies[0];
    const heads = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
    heads.forEach((head, column) => {
      const button = head.querySelector("button");
      if (!button) return;
      button.addEventListener("click", () => {
        const first = head.dataset.first || "ascending";
        const other = first === "ascending" ? "descending" : "ascending";
        const way = head.getAttribute("aria-sort") === first ? other : first;
        for (const each of heads) each.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", way);
        const turn = way === "ascending" ? 1 : -1;
        const key = (row) => row.cells[column].dataset.key ?? row.cells[column].textContent;
        const compare = (a, b) => {
          const [x, y] = [key(a), key(b)];
          if (head.dataset.kind === "text") return turn * x.localeCompare(y, undefined, { numeric: true });
          if (x === "" || y === "") return (x === "") - (y === "");
          return turn * (Number(x) - Number(y));
        };
        body.append(...[...body.rows].sort(compare));
        said.textContent = `Sorted by ${button.textContent}, ${way}.`;
      });
    });
  }

  // ---------------------------------------------------------------- differences

  const matrix = find("matrix");
  if (matrix && data.pairs) {
    const select = find("matrix-measure");
    const said = find("matrix-said");
    const number = new Map(data.order.map((run, i) => [run, i + 1]));
    fill(select, data.measures.map((measure, m) => option(m, measure.name)));
    const columns = data.pairs.baseline ? [data.pairs.which[0][0]] : data.order;

    const sentence = (m, row, column, at, sign) => {
      const of = data.pairs.measures[m];
      const [low, high] = sign > 0 ? [of.low[at], of.high[at]] : [of.high[at], of.low[at]];
      const ends = low === null ? "no interval" : `interval ${signed(sign * low)} to ${signed(sign * high)}`;
      const won = sign > 0 ? [of.won[at], of.lost[at]] : [of.lost[at], of.won[at]];
      const other = of.estimate ? `; the interval is of the ${of.about}, ${signed(sign * of.estimate[at])}` : "";
      const p = of.p[at] === null ? "no p-value" : `p ${of.p[at] < 0.001 ? "" : "= "}${probability(of.p[at])}`;
      return `${shown(data.runs[row])} minus ${shown(data.runs[column])}, ${data.measures[m].name}: ` +
        `${signed(sign * of.d[at], 4)} (${ends}, ${p}${other}); ${won[0]} topics won, ${of.tied[at]} tied, ${won[1]} lost. ` +
        (of.shown[at] ? "Shown to differ." : "No difference is shown.");
    };

    const build = () => {
      const m = Number(select.value);
      const of = data.pairs.measures[m];
      const at = new Map();
      data.pairs.which.forEach(([base, run], i) => {
        at.set(`${run},${base}`, [i, 1]);
        at.set(`${base},${run}`, [i, -1]);
      });
      const head = make("tr");
      head.append(make("th", "", "row minus column"));
      for (const column of columns) {
        const cell = make("th");
        cell.scope = "col";
        if (columns.length > 8) {
          cell.append(make("span", "", `${number.get(column)}`), make("span", "sr", ` ${shown(data.runs[column])}`));
          cell.title = shown(data.runs[column]);
        } else cell.append(make("bdi", "", shown(data.runs[column])));
        head.append(cell);
      }
      const rows = data.order.filter((run) => !data.pairs.baseline || run !== columns[0]).map((run) => {
        const line = make("tr");
        const label = make("th");
        label.scope = "row";
        label.title = shown(data.runs[run]);
        label.append(`${number.get(run)} `, make("bdi", "", shown(data.runs[run])));
        line.append(label);
        for (const column of columns) {
          if (run === column) {
            const self = make("td", "self", "·");
            self.append(make("span", "sr", "the same run"));
            self.tabIndex = -1;
            line.append(self);
            continue;
          }
          const [i, sign] = at.get(`${run},${column}`);
          const up = (sign * of.d[i] > 0) === data.measures[m].up;
          const cell = make("td", of.shown[i] ? `shown ${up ? "up" : "down"}` : "", `${signed(sign * of.d[i])}${of.shown[i] ? "*" : ""}`);
          cell.append(make("small", "", probability(of.p[i])));
          cell.tabIndex = -1;
          cell.dataset.pair = `${run},${column},${i},${sign}`;
          line.append(cell);
        }
        return line;
      });
      const top = make("thead");
      const body = make("tbody");
      top.append(head);
      body.append(...rows);
      matrix.replaceChildren(matrix.caption, top, body);
      const first = body.querySelector("td[data-pair]");
      if (first) first.tabIndex = 0;
    };
    const tell = (event) => {
      const cell = event.target.closest("td[data-pair]");
      if (!cell) return;
      const [run, column, i, sign] = cell.dataset.pair.split(",").map(Number);
      said.textContent = sentence(Number(select.value), run, column, i, sign);
    };
    const MOVES = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };
    matrix.addEventListener("mouseover", tell);
    matrix.addEventListener("focusin", tell);
    matrix.addEventListener("keydown", (event) => {
      const move = MOVES[event.key];
      const cell = event.target.closest("td");
      if (!move || !cell) return;
      event.preventDefault();
      const row = cell.parentElement.parentElement.rows[cell.parentElement.sectionRowIndex + move[0]];
      const next = row && row.cells[cell.cellIndex + move[1]];
      if (!next || next.tagName !== "TD") return;
      cell.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    });
    select.addEventListener("change", build);
    if (data.measures.length < 2) select.parentElement.hidden = true;
    if (columns.length > 8) matrix.classList.add("large");
    build();
  }

  // ---------------------------------------------------------------- topics

  const doc = (i) => data.prefix + data.docs[i];
  const topics = new Map();
  const topicOf = (t) => {
    if (!topics.has(t)) {
      const { docs, grades } = data.pools[t];
      const ids = [];
      const of = [];
      for (let i = 0; i < docs.length; i += 2) for (let n = 0; n < docs[i + 1]; n++) ids.push(docs[i] + n);
      for (let i = 0; i < grades.length; i += 2) for (let n = 0; n < grades[i + 1]; n++) of.push(grades[i]);
      const good = of.filter((g) => g >= 0 && Number(data.grades[g]) > 0).length;
      topics.set(t, { ids, grades: of, good });
    }
    return topics.get(t);
  };
  const addsOf = (m, run, t) => {
    if (run === IDEAL || data.adds[m] === null) return null;
    const packed = data.adds[m][run][t];
    if (packed === null) return null;
    const found = [];
    for (let i = 0; i < packed.length; i++) {
      if (packed[i] !== 0) found.push(packed[i] / data.scale);
      else for (let n = packed[++i]; n > 0; n--) found.push(0);
    }
    return found;
  };
  const listOf = (run, t) => {
    if (run !== IDEAL) return data.lists[run][t];
    return Array.from({ length: Math.min(topicOf(t).good, data.depth) }, (_, i) => i);
  };
  const nameOf = (run) => (run === IDEAL ? "the ideal order" : shown(data.runs[run]));
  const valueOf = (m, run, t) => (run === IDEAL ? null : data.values[m][run][t]);

  const [left, right, topic, measure, rows, sort] = ["left", "right", "topic", "measure", "rows", "sort"].map(find);
  const lines = find("lines");
  const now = { t: 0, a: 0, b: 0, m: 0, rows: 20 };
  let order = data.topics.map((_, t) => t);
  let drawing = () => {};

  const badge = (grade) => {
    if (grade < 0) {
      const element = make("span", "grade none", "unj.");
      element.title = "unjudged";
      return element;
    }
    const element = make("span", `grade g${data.shades[grade]}`, data.grades[grade]);
    element.title = `grade ${data.grades[grade]}`;
    return element;
  };

  const gap = (t) => {
    const [x, y] = [valueOf(now.m, now.a, t), valueOf(now.m, now.b, t)];
    return x === null || y === null ? null : y - x;
  };

  const sorted = () => {
    order = data.topics.map((_, t) => t);
    if (sort.value === "given") return;
    const turn = (sort.value === "best") === data.measures[now.m].up ? -1 : 1;
    const key = (t) => gap(t);
    order.sort((s, t) => {
      const [x, y] = [key(s), key(t)];
      if (x === null || y === null) return (x === null) - (y === null);
      return turn * (x - y);
    });
  };

  const topicList = () => {
    sorted();
    fill(topic, order.map((t) => {
      const difference = gap(t);
      const values = [now.a, now.b].filter((run) => run !== IDEAL).map((run) => fixed(valueOf(now.m, run, t), 3)).join(" → ");
      return option(t, `\u2068${shown(data.topics[t])}\u2069   ${values}${difference === null ? "" : `  (${signed(difference)})`}`);
    }));
    topic.value = now.t;
    strip();
  };

  const strip = () => {
    const place = find("strip");
    const gaps = order.map(gap);
    const most = Math.max(...gaps.map((d) => Math.abs(d ?? 0)));
    if (!most || now.b === IDEAL || now.a === IDEAL || order.length < 2) return place.replaceChildren();
    const svg = drawn("svg", { viewBox: `0 0 ${10 * order.length} 64`, preserveAspectRatio: "none" });
    svg.style.maxWidth = `${2.5 * order.length}rem`;
    svg.append(drawn("line", { x1: 0, x2: 10 * order.length, y1: 32, y2: 32, "stroke-width": 0.7, "vector-effect": "non-scaling-stroke" }));
    order.forEach((t, i) => {
      const difference = gaps[i] ?? 0;
      const height = (30 * Math.abs(difference)) / most;
      const hit = drawn("rect", { x: 10 * i, y: 0, width: 10, height: 64, class: t === now.t ? "hit now" : "hit", "vector-effect": "non-scaling-stroke" });
      const bar = drawn("rect", { x: 10 * i + 2, width: 6, y: difference > 0 ? 32 - height : 32, height, class: `bar ${(difference > 0) === data.measures[now.m].up ? "gain" : "loss"}` });
      const title = drawn("title", {});
      title.textContent = `${shown(data.topics[t])} ${signed(difference)}`;
      hit.append(title);
      hit.addEventListener("click", () => go(t));
      svg.append(hit, bar);
    });
    place.replaceChildren(svg);
  };

  const facts = (run, t) => {
    const list = listOf(run, t);
    const pool = topicOf(t);
    const good = list.filter((i) => i < pool.good).length;
    const judged = list.filter((i) => pool.grades[i] >= 0).length;
    if (run === IDEAL) return `All ${pool.good} documents of a grade above 0, best first${pool.good > list.length ? `; the first ${list.length}` : ""}.`;
    if (!list.length) return "This run has no line for the topic.";
    const length = data.lengths[run][t];
    const whole = length > list.length ? `first ${list.length} of ${length} documents` : `${list.length} documents`;
    return `${data.measures[now.m].name} ${fixed(valueOf(now.m, run, t))}. Of its ${whole}, ${judged} are judged and ${good} of the topic's ${pool.good} have a grade above 0.`;
  };

  // Only of documents that are worth something is it good or bad where they go.
  const tone = (i, up) => (i < topicOf(now.t).good ? (up ? "up" : "down") : "");

  const moved = (mine, other, there, side) => {
    const rank = there.get(mine.i);
    const word = side === "left" ? "now" : "was";
    const partnerName = nameOf(other);
    if (rank === undefined) {
      const text = side === "left" ? "gone" : "new";
      const element = make("span", `moved ${tone(mine.i, side === "right")}`, text);
      element.title = `not among the first ${data.depth} of ${partnerName}`;
      return element;
    }
    const up = side === "left" ? rank < mine.rank : mine.rank < rank;
    const by = Math.abs(rank - mine.rank);
    const arrow = by === 0 ? "=" : `${up ? "▲" : "▼"}${by}`;
    const button = make("button", `moved ${by === 0 ? "" : tone(mine.i, up)}`, `${word} ${rank} ${arrow}`);
    button.type = "button";
    button.setAttribute("aria-label", `${word} ${rank} ${by === 0 ? "unmoved" : `${up ? "up" : "down"} ${by}`}: rank ${rank} in ${partnerName}; go there`);
    button.addEventListener("click", () => {
      if (rank > now.rows) {
        now.rows = Math.max(...[...rows.options].map((each) => Number(each.value)));
        rows.value = now.rows;
        lists();
      }
      const line = find(`${side === "left" ? "right" : "left"}-list`).children[rank - 1];
      const target = line && (line.querySelector("button.moved") || line.querySelector("button"));
      if (target) target.focus();
    });
    return button;
  };

  const line = (i, rank, side, run, other, there, adds, most) => {
    const pool = topicOf(now.t);
    const item = make("li");
    item.dataset.doc = i;
    const place = make("span", "rank", String(rank));
    const grade = badge(pool.grades[i]);
    const words = make("span", "sr", pool.grades[i] < 0 ? "unjudged " : "grade ");
    const cell = make("span");
    cell.append(words, grade);
    const id = shown(doc(pool.ids[i]));
    let name;
    if (data.texts) {
      name = make("button", "doc");
      name.type = "button";
      name.addEventListener("click", () => open(i, name));
    } else name = make("span", "doc");
    name.append(make("bdi", "", id));
    name.title = id;
    const share = make("span", "adds");
    if (adds !== null) {
      const value = adds[rank - 1] ?? 0;
      if (value) {
        const bar = make("i", value < 0 ? "minus" : "");
        bar.style.width = `${(1.6 * Math.abs(value)) / most}rem`;
        share.append(bar, make("span", "", signed(value, 4)));
      } else {
        share.classList.add("zero");
        share.textContent = "0";
      }
      share.title = "what this rank adds";
    }
    item.append(place, cell, name, moved({ i, rank }, other, there, side), share);
    return item;
  };

  const lists = () => {
    const sides = { left: [now.a, now.b], right: [now.b, now.a] };
    const found = { left: listOf(now.a, now.t), right: listOf(now.b, now.t) };
    const ranks = Object.fromEntries(Object.entries(found).map(([side, list]) => [side, new Map(list.map((i, n) => [i, n + 1]))]));
    const adds = { left: addsOf(now.m, now.a, now.t), right: addsOf(now.m, now.b, now.t) };
    const most = Math.max(1e-9, ...[...(adds.left || []), ...(adds.right || [])].map(Math.abs));
    for (const [side, [run, other]] of Object.entries(sides)) {
      const there = ranks[side === "left" ? "right" : "left"];
      const list = found[side].slice(0, now.rows);
      const items = list.map((i, n) => line(i, n + 1, side, run, other, there, adds[side], most));
      if (!items.length) items.push(make("li", "empty", run === IDEAL ? "No document of this topic has a grade above 0." : "This run has no line for the topic."));
      const place = find(`${side}-list`);
      place.setAttribute("aria-label", `${side === "left" ? "Left" : "Right"} list: ${nameOf(run)}`);
      place.replaceChildren(...items);
      find(`${side}-facts`).textContent = facts(run, now.t);
    }
    drawing = () => links(found, ranks);
    drawing();
  };

  const links = (found, ranks) => {
    const height = parseFloat(getComputedStyle(find("left-list")).getPropertyValue("--row")) * parseFloat(getComputedStyle(document.documentElement).fontSize);
    const top = find("left-list").getBoundingClientRect().top - lines.getBoundingClientRect().top;
    const width = lines.getBoundingClientRect().width || 72;
    const y = (rank) => top + (rank - 0.5) * height;
    const paths = [];
    for (const [n, i] of found.left.slice(0, now.rows).entries()) {
      const rank = ranks.right.get(i);
      if (rank === undefined || rank > now.rows) continue;
      const way = rank === n + 1 ? "" : tone(i, rank < n + 1);
      const path = drawn("path", { d: `M2 ${y(n + 1)} C${width / 2} ${y(n + 1)} ${width / 2} ${y(rank)} ${width - 2} ${y(rank)}`, class: way, "data-doc": i });
      paths.push(path);
    }
    lines.replaceChildren(...paths);
  };

  const light = (event) => {
    const item = event.target.closest && event.target.closest(".list li[data-doc]");
    for (const each of document.querySelectorAll(".list li.on, #lines path.on")) each.classList.remove("on");
    lines.classList.toggle("busy", Boolean(item));
    if (!item) return;
    for (const each of document.querySelectorAll(`.list li[data-doc="${item.dataset.doc}"], #lines path[data-doc="${item.dataset.doc}"]`)) each.classList.add("on");
  };
  for (const kind of ["mouseover", "focusin"]) find("explorer").addEventListener(kind, light);
  find("explorer").addEventListener("mouseleave", light);

  const summary = () => {
    const place = find("summary");
    place.replaceChildren("Topic ", make("bdi", "", shown(data.topics[now.t])), ": ");
    const [x, y] = [valueOf(now.m, now.a, now.t), valueOf(now.m, now.b, now.t)];
    const name = data.measures[now.m].name;
    const runs = [now.a, now.b].filter((run) => run !== IDEAL);
    const values = [x, y].filter((_, n) => [now.a, now.b][n] !== IDEAL);
    if (values.some((value) => value === null)) place.append(`${name} has no value here for ${runs.filter((_, n) => values[n] === null).map(nameOf).join(" and ")}.`);
    else place.append(runs.map((run, n) => `${nameOf(run)} has ${name} ${fixed(values[n])}`).join(", "), gap(now.t) === null ? "." : `; the right list has ${signed(gap(now.t), 4)}.`);
    const why = data.measures[now.m].why;
    if (why) place.append(` What a rank adds is not told for ${name}: ${why}.`);
  };

  const show = () => {
    summary();
    lists();
  };
  const go = (t) => {
    now.t = t;
    topic.value = t;
    show();
    strip();
  };
  const step = (by) => go(order[(order.indexOf(now.t) + by + order.length) % order.length]);

  // ---------------------------------------------------------------- a document's text

  const dialog = find("text");
  let texts = null;
  const open = (i, from) => {
    texts = texts || JSON.parse(find("texts").textContent);
    const pool = topicOf(now.t);
    const id = doc(pool.ids[i]);
    dialog.querySelector("h2 bdi").textContent = shown(id);
    const grade = pool.grades[i] < 0 ? "Unjudged" : `Grade ${data.grades[pool.grades[i]]}`;
    const places = [now.a, now.b].map((run) => {
      const rank = listOf(run, now.t).indexOf(i) + 1;
      return `${rank ? `rank ${rank}` : "not shown"} in ${nameOf(run)}`;
    });
    dialog.querySelector(".facts").textContent = `${grade} for topic ${shown(data.topics[now.t])}; ${places.join(", ")}.`;
    const text = Object.hasOwn(texts, id) ? texts[id] : "No text was given for this document.";
    dialog.querySelector(".body").textContent = text.replace(/[^\P{C}\n\t]|[\p{Zl}\p{Zp}]/gu, (c) => shown(c));
    dialog.showModal();
    dialog.addEventListener("close", () => from.focus(), { once: true });
  };
  find("close").addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });

  // ---------------------------------------------------------------- begin

  const runs = data.order.map((run) => option(run, shown(data.runs[run])));
  fill(left, [...runs, option(IDEAL, "the ideal order")]);
  fill(right, [...runs.map((each) => each.cloneNode(true)), option(IDEAL, "the ideal order")]);
  fill(measure, data.measures.map((each, m) => option(m, each.name)));
  const deepest = data.lists.flat().reduce((most, list) => Math.max(most, list.length), 1);
  const depths = [10, 20, 50, 100, 1000].filter((n) => n < deepest);
  fill(rows, [...depths, deepest].map((n) => option(n, `first ${n}`)));
  now.rows = depths.includes(20) ? 20 : deepest;
  rows.value = now.rows;
  const base = data.pairs && data.pairs.baseline ? data.pairs.which[0][0] : null;
  const best = data.order.find((run) => run !== base);
  now.a = base ?? (data.order.length > 1 ? data.order[1] : data.order[0]);
  now.b = data.order.length > 1 ? best : IDEAL;
  left.value = now.a;
  right.value = now.b;

  const legend = find("grades");
  legend.append("Grades:");
  data.grades.forEach((_, g) => legend.append(badge(g)));
  legend.append(badge(-1), "unjudged");

  topic.addEventListener("change", () => go(Number(topic.value)));
  find("previous").addEventListener("click", () => step(-1));
  find("next").addEventListener("click", () => step(1));
  sort.addEventListener("change", () => {
    topicList();
    go(order[0]);
  });
  for (const [select, name] of [[left, "a"], [right, "b"], [measure, "m"], [rows, "rows"]]) {
    select.addEventListener("change", () => {
      now[name] = Number(select.value);
      topicList();
      show();
    });
  }
  window.addEventListener("resize", () => drawing());
  find("explorer").hidden = false;
  topicList();
  const gaps = order.map((t) => (gap(t) === null ? -1 : Math.abs(gap(t))));
  go(order[Math.max(0, gaps.indexOf(Math.max(...gaps)))]);
  performance.mark("assay-ready");
})();
