/** Which jobs are selected, in the order in which they were; `anchor` is where a range begins. */
export interface Selection {
  ids: readonly number[]
  anchor: number | null
}

export const nothingSelected: Selection = { ids: [], anchor: null }

export const only = (id: number): Selection => ({ ids: [id], anchor: id })

/** Ctrl or ⌘: in or out. */
export function toggled({ ids }: Selection, id: number): Selection {
  return ids.includes(id) ? { ids: ids.filter((one) => one !== id), anchor: id } : { ids: [...ids, id], anchor: id }
}

/** Shift: from the anchor to here, in the order of `all`; without an anchor that is there, only this one. */
export function extended({ anchor }: Selection, id: number, all: readonly number[]): Selection {
  const [from, to] = [anchor === null ? -1 : all.indexOf(anchor), all.indexOf(id)]
  if (from < 0 || to < 0) return only(id)
  const ids = all.slice(Math.min(from, to), Math.max(from, to) + 1)
  return { ids: from <= to ? ids : ids.reverse(), anchor }
}

export const added = ({ ids, anchor }: Selection, more: readonly number[]): Selection => ({
  ids: [...new Set([...ids, ...more])],
  anchor: anchor ?? more[0] ?? null,
})

/** Without those that are no longer there. */
export function among(selection: Selection, isThere: (id: number) => boolean): Selection {
  const ids = selection.ids.filter(isThere)
  if (ids.length === selection.ids.length) return selection
  return { ids, anchor: selection.anchor !== null && isThere(selection.anchor) ? selection.anchor : (ids[0] ?? null) }
}
