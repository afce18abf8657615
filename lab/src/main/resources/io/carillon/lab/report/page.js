(function () {
  "use strict";
  var specs = JSON.parse(document.getElementById("charts").textContent);
  var dark = window.matchMedia("(prefers-color-scheme: dark)");
  var paper = false;
  // Two charts beside each other on A4 and Letter; the boxes still have the screen's width when this is drawn.
  var PAPER_WIDTH = 330;
  var drawn = new Map();

  function color(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  }

  // On paper the style sheet's colours for print are not computed yet when this runs.
  var onPaper = { "--ground": "#fff", "--ink": "#000", "--soft": "#444", "--line": "#ccc",
    "--c0": "#2563eb", "--c1": "#d97706", "--c2": "#0f9d6b", "--c3": "#dc2626", "--c4": "#7c3aed", "--c5": "#0891b2", "--c6": "#be185d", "--c7": "#5c7a12" };

  function paint(name) {
    return paper ? onPaper[name] : color(name);
  }

  function number(v) {
    if (v == null) return "-";
    var a = Math.abs(v);
    if (a >= 100 || v === Math.round(v)) return Math.round(v).toLocaleString("en");
    return a >= 10 ? v.toFixed(1) : a >= 0.1 ? v.toFixed(2) : v.toPrecision(2);
  }

  // A limit: a dashed line across, with its name at the left.
  function marks(spec) {
    return function (u) {
      var c = u.ctx, r = window.devicePixelRatio || 1;
      c.save();
      spec.marks.forEach(function (m) {
        var y = u.valToPos(m.y, "y", true);
        if (y < u.bbox.top || y > u.bbox.top + u.bbox.height) return;
        c.strokeStyle = c.fillStyle = paint("--soft");
        c.lineWidth = r;
        c.setLineDash([5 * r, 4 * r]);
        c.beginPath();
        c.moveTo(u.bbox.left, y);
        c.lineTo(u.bbox.left + u.bbox.width, y);
        c.stroke();
        c.font = 11 * r + "px system-ui, sans-serif";
        c.textAlign = "left";
        c.textBaseline = "bottom";
        // The ground around its letters keeps it readable where a line of the chart or its grid passes.
        c.setLineDash([]);
        c.lineJoin = "round";
        c.lineWidth = 4 * r;
        c.strokeStyle = paint("--ground");
        c.strokeText(m.label, u.bbox.left + 5 * r, y - 3 * r);
        c.fillText(m.label, u.bbox.left + 5 * r, y - 3 * r);
      });
      c.restore();
    };
  }

  function limits(spec) {
    var low = Infinity, high = -Infinity;
    spec.lines.forEach(function (l) {
      l.values.forEach(function (v) {
        if (v != null && (!spec.log || v > 0)) { low = Math.min(low, v); high = Math.max(high, v); }
      });
    });
    spec.marks.forEach(function (m) { low = Math.min(low, m.y); high = Math.max(high, m.y * 1.1); });
    if (low > high) { low = spec.log ? 0.1 : 0; high = 1; }
    if (!spec.log) return [0, high > 0 ? high * 1.08 : 1];
    return [Math.pow(10, Math.floor(Math.log10(low))), Math.pow(10, Math.ceil(Math.log10(high * 1.01)))];
  }

  // Of the axis at the left: its longest number, and room for its tick.
  function labelWidth(u, labels) {
    var longest = (labels || []).reduce(function (most, label) { return Math.max(most, String(label).length); }, 0);
    return Math.max(52, Math.ceil(longest * 6.6) + 16);
  }

  function options(spec, width) {
    var axis = { stroke: paint("--soft"), grid: { stroke: paint("--line"), width: 1 }, ticks: { stroke: paint("--line"), width: 1 }, font: "11px system-ui, sans-serif" };
    var range = limits(spec);
    return {
      width: width,
      height: Math.round(Math.max(190, Math.min(270, width * 0.5))),
      scales: { x: { time: false }, y: { distr: spec.log ? 3 : 1, range: function () { return range; } } },
      axes: [
        Object.assign({}, axis, { label: spec.xLabel, labelSize: 18, labelFont: "11px system-ui, sans-serif", size: 34 }),
        Object.assign({}, axis, { size: labelWidth, values: function (u, ticks) { return ticks.map(function (t) { return t == null ? "" : number(t); }); } })
      ],
      series: [{ label: spec.xLabel, value: function (u, v) { return number(v); } }].concat(spec.lines.map(function (l) {
        return {
          label: l.label,
          stroke: paint("--c" + (l.color % 8)),
          width: 1.6,
          dash: l.color >= 8 ? [6, 3] : undefined,
          points: { show: spec.style !== "LINE", size: 5, fill: spec.style === "POINTS" ? paint("--c" + (l.color % 8)) : undefined },
          paths: spec.style === "POINTS" ? function () { return null; } : undefined,
          // A value of 0 has no place on a logarithmic axis.
          spanGaps: spec.log,
          value: function (u, v) { return number(v); }
        };
      })),
      cursor: { drag: { x: true, y: false } },
      hooks: { draw: [marks(spec)] }
    };
  }

  function draw(box) {
    var width = paper ? PAPER_WIDTH : Math.floor(box.clientWidth);
    if (width < 40) return;
    var spec = specs[+box.dataset.chart];
    var before = drawn.get(box);
    if (before) before.plot.destroy();
    var data = [spec.x].concat(spec.lines.map(function (l) {
      return l.values.map(function (v) { return v == null || (spec.log && v <= 0) ? null : v; });
    }));
    drawn.set(box, { width: width, plot: new uPlot(options(spec, width), data, box) });
  }

  var boxes = Array.prototype.slice.call(document.querySelectorAll(".chart"));

  function drawAll() {
    boxes.forEach(draw);
  }

  // Also when a folded part is opened: its charts get a width then.
  var sizes = new ResizeObserver(function (entries) {
    entries.forEach(function (e) {
      var before = drawn.get(e.target);
      if (paper) return;
      if (!before || before.width !== Math.floor(e.target.clientWidth)) draw(e.target);
    });
  });
  boxes.forEach(function (box) { sizes.observe(box); });

  dark.addEventListener("change", drawAll);

  var opened = [];
  window.addEventListener("beforeprint", function () {
    opened = Array.prototype.filter.call(document.querySelectorAll("main > details"), function (d) { return !d.open; });
    opened.forEach(function (d) { d.open = true; });
    paper = true;
    drawAll();
  });
  window.addEventListener("afterprint", function () {
    opened.forEach(function (d) { d.open = false; });
    paper = false;
    drawAll();
  });
})();
