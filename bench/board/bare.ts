/** What can't be less: as many rectangles as the board draws, in rows of its geometry, and one that follows the pointer. */
export const barePage = (rows: number, cardsEach: number) => `<!doctype html><title>Rectangles</title><style>
body { margin: 0 } .lanes { position: absolute; inset: 0; overflow: auto }
.rows { position: relative; width: 1400px; height: ${rows * 40}px }
.row { position: absolute; height: 39px; width: 100%; border-bottom: 1px solid #ccc }
.job { position: absolute; height: 32px; top: 3px; border: 1px solid #888; background: #fff; font: 12px sans-serif }
.hand { position: fixed; left: 0; top: 0; width: 120px; height: 32px; background: #fff; border: 1px solid #000; will-change: transform }
</style><div class="lanes"><div class="rows">${Array.from(
  { length: rows },
  (_, row) =>
    `<div class="row" style="top:${row * 40}px">${Array.from(
      { length: cardsEach },
      (_, i) => `<div class="job" style="left:${216 + i * 84}px;width:60px">Customer</div>`,
    ).join('')}</div>`,
).join('')}</div></div><div class="hand"></div><script>
let last, asked = 0
const hand = document.querySelector('.hand')
addEventListener('pointermove', (event) => {
  last = event
  asked ||= requestAnimationFrame(() => { asked = 0; hand.style.transform = 'translate(' + last.clientX + 'px,' + last.clientY + 'px)' })
})
</script>`
