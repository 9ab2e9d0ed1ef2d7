import type { FieldError, RawRow } from '#fields'
import type { Printable } from '#formats/format'
import { invalid } from '#problem'
import { refuseUnknownParameters } from './integer-parameters.ts'
import type { ApiRequest } from './request.ts'
import type { ApiResponse } from './response.ts'
import { printingFor } from './selection.ts'

/** A list that is never long, as one page under the names of its route. @throws Problem invalid (422) for a parameter */
export function printAll(request: ApiRequest, of: Printable, rows: RawRow[]): ApiResponse {
  const errors: FieldError[] = []
  // All of it is one page, however many are asked for.
  refuseUnknownParameters(request.query, ['per_page'], errors)
  if (errors.length > 0) throw invalid(errors)
  const paging = { current_page: 1, per_page: Math.max(1, rows.length), total_pages: 1, total_entries: rows.length }
  const body = request.format.list(of, request.route.wireNames)(rows, paging, printingFor(request))
  return { status: 200, headers: {}, body }
}
