"use strict";
const SVG = "http://www.w3.org/2000/svg";
const COLOURS = { identity: "#7a5cc9", goal: "#2f8f5b", decision: "#2f6fc4", todo: "#d08a1d",
  preference: "#c4508f", fact: "#4f8f98", event: "#b0643c", observation: "#80868f" };
const TICKS = 300;
const data = JSON.parse(document.getElementById("data").textContent);
const nodes = data.memories.map((memory, index) => ({ ...memory, ...ring(index) }));
const byId = new Map(nodes.map((node) => [node.id, node]));
const edges = data.associations.map((edge) => ({ ...edge, from: byId.get(edge.source), to: byId.get(edge.target) }));
const svg = document.getElementById("graph");
const view = element("g", {}, svg);
const shown = new Set(nodes.map((node) => node.type));
let camera = { x: 0, y: 0, scale: 1 };
let chosen = byId.get(data.start);

function ring(index) {
  const angle = index * 2.399963;
  const radius = 45 * Math.sqrt(index);
  return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) };
}

function element(name, attributes, parent) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  parent.appendChild(made);
  return made;
}

function html(name, text, parent) {
  const made = document.createElement(name);
  made.textContent = text;
  parent.appendChild(made);
  return made;
}

function layOut() {
  for (let tick = 0; tick < TICKS; tick += 1) {
    const heat = 12 * (1 - tick / TICKS) + 0.5;
    const pushes = nodes.map((node) => ({ x: -0.012 * node.x, y: -0.012 * node.y }));
    for (let i = 0; i < nodes.length; i += 1) {
      for (let j = i + 1; j < nodes.length; j += 1) {
        const dx = nodes[i].x - nodes[j].x || 0.01;
        const dy = nodes[i].y - nodes[j].y || 0.01;
        const force = 6500 / Math.max(dx * dx + dy * dy, 60);
        const length = Math.hypot(dx, dy);
        pushes[i].x += (dx / length) * force;
        pushes[i].y += (dy / length) * force;
        pushes[j].x -= (dx / length) * force;
        pushes[j].y -= (dy / length) * force;
      }
    }
    for (const edge of edges) {
      const i = nodes.indexOf(edge.from);
      const j = nodes.indexOf(edge.to);
      const dx = edge.to.x - edge.from.x;
      const dy = edge.to.y - edge.from.y;
      const length = Math.hypot(dx, dy) || 1;
      const pull = 0.05 * (length - 110) * (0.4 + edge.weight);
      pushes[i].x += (dx / length) * pull;
      pushes[i].y += (dy / length) * pull;
      pushes[j].x -= (dx / length) * pull;
      pushes[j].y -= (dy / length) * pull;
    }
    nodes.forEach((node, index) => {
      const size = Math.hypot(pushes[index].x, pushes[index].y) || 1;
      const step = Math.min(size, heat) / size;
      node.x += pushes[index].x * step;
      node.y += pushes[index].y * step;
    });
  }
}

function radius(node) {
  return 6 + 8 * node.importance;
}

function draw() {
  const marker = element("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 8, refY: 4,
    markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" }, element("defs", {}, svg));
  element("path", { d: "M0,0 L8,4 L0,8 z" }, marker);
  for (const edge of edges) {
    edge.group = element("g", { class: `edge ${edge.relation}` }, view);
    edge.line = element("line", { "marker-end": "url(#arrow)", "stroke-width": 0.8 + 1.4 * edge.weight }, edge.group);
    edge.label = element("text", {}, edge.group);
    edge.label.textContent = edge.relation;
  }
  for (const node of nodes) {
    node.group = element("g", { class: "node", tabindex: 0, role: "button" }, view);
    node.group.setAttribute("aria-label", `${node.type}: ${node.content}`);
    node.group.classList.toggle("start", node.id === data.start);
    node.group.classList.toggle("outdated", node.superseded || node.forgotten);
    element("circle", { r: radius(node), fill: COLOURS[node.type] }, node.group);
    const label = element("text", { x: radius(node) + 4, y: 4 }, node.group);
    label.textContent = node.label;
    const title = element("title", {}, node.group);
    title.textContent = node.content;
    node.group.addEventListener("click", () => choose(node));
    node.group.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") choose(node);
    });
    node.group.addEventListener("pointerdown", (event) => drag(event, node));
  }
}

function place() {
  for (const edge of edges) {
    const dx = edge.to.x - edge.from.x;
    const dy = edge.to.y - edge.from.y;
    const length = Math.hypot(dx, dy) || 1;
    const start = radius(edge.from) / length;
    const end = 1 - (radius(edge.to) + 3) / length;
    edge.line.setAttribute("x1", edge.from.x + dx * start);
    edge.line.setAttribute("y1", edge.from.y + dy * start);
    edge.line.setAttribute("x2", edge.from.x + dx * end);
    edge.line.setAttribute("y2", edge.from.y + dy * end);
    edge.label.setAttribute("x", edge.from.x + dx / 2);
    edge.label.setAttribute("y", edge.from.y + dy / 2 - 3);
  }
  for (const node of nodes) node.group.setAttribute("transform", `translate(${node.x},${node.y})`);
  view.setAttribute("transform", `translate(${camera.x},${camera.y}) scale(${camera.scale})`);
}

function fit() {
  const box = svg.getBoundingClientRect();
  const xs = nodes.map((node) => node.x);
  const ys = nodes.map((node) => node.y);
  const width = Math.max(...xs) - Math.min(...xs) + 320;
  const height = Math.max(...ys) - Math.min(...ys) + 80;
  const scale = Math.min(2, box.width / width, box.height / height) || 1;
  camera = {
    scale,
    x: box.width / 2 - scale * ((Math.max(...xs) + Math.min(...xs)) / 2 + 100),
    y: box.height / 2 - scale * ((Math.max(...ys) + Math.min(...ys)) / 2),
  };
  place();
}

function drag(event, node) {
  event.stopPropagation();
  let last = { x: event.clientX, y: event.clientY };
  const move = (moved) => {
    const target = node || camera;
    const factor = node ? 1 / camera.scale : 1;
    target.x += (moved.clientX - last.x) * factor;
    target.y += (moved.clientY - last.y) * factor;
    last = { x: moved.clientX, y: moved.clientY };
    place();
  };
  const end = () => {
    window.removeEventListener("pointermove", move);
    window.removeEventListener("pointerup", end);
  };
  window.addEventListener("pointermove", move);
  window.addEventListener("pointerup", end);
}

function zoom(event) {
  event.preventDefault();
  const box = svg.getBoundingClientRect();
  const factor = Math.exp(-event.deltaY * 0.0015);
  const x = event.clientX - box.left;
  const y = event.clientY - box.top;
  camera = { scale: camera.scale * factor, x: x - (x - camera.x) * factor, y: y - (y - camera.y) * factor };
  place();
}

function choose(node) {
  chosen = node;
  for (const other of nodes) other.group.classList.toggle("chosen", other === node);
  const panel = document.getElementById("details");
  panel.replaceChildren();
  html("h1", node.content, panel);
  const list = html("dl", "", panel);
  const facts = { id: node.id, type: node.type, importance: node.importance.toFixed(2), saved: node.saved,
    happened: node.happened, tags: node.tags.join(", "), source: node.source,
    state: [node.superseded ? "superseded" : "", node.forgotten ? "forgotten" : ""].filter(Boolean).join(", ") };
  for (const [name, value] of Object.entries(facts)) {
    if (!value) continue;
    html("dt", name, list);
    html("dd", value, list);
  }
  const links = html("ul", "", panel);
  for (const edge of edges.filter((one) => one.from === node || one.to === node)) {
    const other = edge.from === node ? edge.to : edge.from;
    const item = html("li", edge.from === node ? `${edge.relation} → ` : `← ${edge.relation} `, links);
    html("button", other.label, item).addEventListener("click", () => choose(other));
  }
}

function filter() {
  const words = document.getElementById("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const node of nodes) {
    const text = `${node.id} ${node.content} ${node.tags.join(" ")}`.toLowerCase();
    node.visible = shown.has(node.type);
    node.group.classList.toggle("hidden", !node.visible);
    node.group.classList.toggle("faded", !words.every((word) => text.includes(word)));
  }
  for (const edge of edges) {
    edge.group.classList.toggle("hidden", !(edge.from.visible && edge.to.visible));
    edge.group.classList.toggle("faded", words.length > 0);
  }
}

function legend() {
  const box = document.getElementById("legend");
  for (const type of Object.keys(COLOURS).filter((name) => shown.has(name))) {
    const label = html("label", "", box);
    const input = document.createElement("input");
    input.type = "checkbox";
    input.checked = true;
    input.addEventListener("change", () => {
      if (input.checked) shown.add(type);
      else shown.delete(type);
      filter();
    });
    const dot = document.createElement("i");
    dot.style.background = COLOURS[type];
    const count = nodes.filter((node) => node.type === type).length;
    label.append(input, dot, `${type} (${count})`);
  }
}

layOut();
draw();
legend();
filter();
fit();
choose(chosen);
svg.addEventListener("pointerdown", (event) => drag(event, null));
svg.addEventListener("wheel", zoom, { passive: false });
document.getElementById("search").addEventListener("input", filter);
document.getElementById("fit").addEventListener("click", fit);
window.addEventListener("resize", fit);
document.documentElement.dataset.ready = "true";
