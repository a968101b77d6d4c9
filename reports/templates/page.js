
"use strict";
/* A click on a column's head sorts its table; without this script the tables are read as they are. */
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const numeric = head.classList.contains("numeric");
    const compare = numeric
      ? (a, b) => a - b
      : (a, b) => a.localeCompare(b, "en", { numeric: true });
    const button = document.createElement("button");
    button.type = "button";
    button.title = "Sort by this column";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const before = head.getAttribute("aria-sort");
      const first = numeric ? "descending" : "ascending";
      const second = numeric ? "ascending" : "descending";
      const order = before === first ? second : first;
      const sign = order === "ascending" ? 1 : -1;
      const keyed = [...body.rows].map((row) => {
        const text = row.cells[column].dataset.value;
        return { row, key: numeric ? Number.parseFloat(text) : text };
      });
      const missing = (one) => Number.isNaN(one.key);
      keyed.sort((a, b) => {
        if (missing(a) || missing(b)) return missing(a) - missing(b);
        return sign * compare(a.key, b.key);
      });
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", order);
      body.append(...keyed.map((one) => one.row));
    });
  });
}
window.addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details")) details.open = true;
});
