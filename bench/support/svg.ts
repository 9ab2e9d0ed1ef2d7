/** Text in SVG. */
export const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign)

/** A picture of a size in pixels; what is in it is SVG already. */
export const svg = (width: number, height: number, parts: string[]) =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    ...parts,
    '</svg>\n',
  ].join('\n')

/** A number as SVG has it: to a tenth. */
export const at = (value: number) => String(Math.round(value * 10) / 10)
