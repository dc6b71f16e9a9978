for (const table of document.querySelectorAll("table")) {
  const heads = [...table.tHead.querySelectorAll("th[scope=col]")];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "descending" ? 1 : -1;
      heads.forEach(other => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down < 0 ? "descending" : "ascending");
      for (const body of table.tBodies) {
        const rows = [...body.rows].filter(row => !row.classList.contains("rule"));
        const number = row => parseFloat((row.cells[column].dataset.value ?? "").replace("inf", "Infinity"));
        const text = row => row.cells[column].textContent;
        rows.sort((a, b) => {
          const [x, y] = [number(a), number(b)];
          if (isNaN(x) !== isNaN(y)) return isNaN(x) - isNaN(y);
          if (isNaN(x)) return down * text(a).localeCompare(text(b));
          return x === y ? 0 : down * (x < y ? -1 : 1);
        });
        body.append(...rows);
      }
    });
  });
}
