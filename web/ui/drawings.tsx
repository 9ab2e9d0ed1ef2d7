/** Our own drawings: a grid of 16 px, strokes of 1.4 px, butt ends. Glyphs of states (`s-…`) are heavier: they stand on a plate of 14 px. */
export const drawings = {
  schedule: (
    <>
      <path d="M1.5 3.5h13M1.5 8h13M1.5 12.5h13" />
      <path d="M3 2v3h5V2zM7 6.5v3h6v-3zM2.5 11v3h4v-3z" fill="var(--i-bg,transparent)" />
    </>
  ),
  jobs: (
    <>
      <path d="M2 2.5h12v3.2h-1.8v7.8H3.8V5.7H2z" />
      <path d="M6 8h4M6 10.5h4" />
    </>
  ),
  map: (
    <>
      <path d="M8 14.3s4.6-4.3 4.6-7.8A4.6 4.6 0 0 0 3.4 6.5C3.4 10 8 14.3 8 14.3z" />
      <circle cx="8" cy="6.5" r="1.6" />
    </>
  ),
  messages: (
    <>
      <path d="M1.8 3h12.4v8.3H7.2L4.2 14v-2.7H1.8z" />
      <path d="M4.6 6h6.8M4.6 8.4h4.4" />
    </>
  ),
  customers: (
    <>
      <path d="M2.5 14V3.2l6-1.5V14M8.5 6h5v8M1 14h14" />
      <path d="M4.6 5.6h1.8M4.6 8.2h1.8M4.6 10.8h1.8M10.4 8.6h1.3M10.4 11.2h1.3" />
    </>
  ),
  equipment: (
    <path d="M10.4 2.2a3.4 3.4 0 0 0-3 4.7L2 12.3 3.8 14l5.3-5.4a3.4 3.4 0 0 0 4.6-4L11.5 6.7 9.4 6.5 9.3 4.4z" />
  ),
  quotes: (
    <>
      <path d="M3 1.8h7l3 3v9.4H3z" />
      <path d="M10 1.8v3h3M5.4 8h5.2M5.4 10.8h3" />
    </>
  ),
  reports: (
    <>
      <path d="M2 14.2V1.8M2 14.2h12.4" />
      <path d="M5.2 11.6V8M8.4 11.6V4.4M11.6 11.6V6.6" strokeWidth="2" />
    </>
  ),
  admin: (
    <>
      <path d="M2 4.5h7M12.5 4.5H14M2 11.5h1.5M7 11.5h7" />
      <circle cx="10.8" cy="4.5" r="1.8" />
      <circle cx="5.2" cy="11.5" r="1.8" />
    </>
  ),
  search: (
    <>
      <circle cx="7" cy="7" r="4.6" />
      <path d="M10.4 10.4l4 4" />
    </>
  ),
  left: <path d="M10 3L5 8l5 5" />,
  right: <path d="M6 3l5 5-5 5" />,
  down: <path d="M3.5 6L8 10.5 12.5 6" />,
  up: <path d="M3.5 10L8 5.5l4.5 4.5" />,
  undo: (
    <>
      <path d="M5.5 2.5L2.2 5.8l3.3 3.3" />
      <path d="M2.4 5.8h7a4 4 0 0 1 0 8H5.5" />
    </>
  ),
  redo: (
    <>
      <path d="M10.5 2.5l3.3 3.3-3.3 3.3" />
      <path d="M13.6 5.8h-7a4 4 0 0 0 0 8h3.9" />
    </>
  ),
  plus: <path d="M8 2.8v10.4M2.8 8h10.4" />,
  minus: <path d="M2.8 8h10.4" />,
  x: <path d="M3.5 3.5l9 9M12.5 3.5l-9 9" />,
  check: <path d="M2.8 8.6l3.4 3.4 7-8" />,
  filter: <path d="M1.8 3.5h12.4M4 8h8M6.4 12.5h3.2" />,
  sort: <path d="M4.5 2.5v11M1.8 10.8l2.7 2.7 2.7-2.7M9 4h5.5M9 8h4M9 12h2.5" />,
  lock: (
    <>
      <path d="M3 7.2h10v6.6H3z" />
      <path d="M5 7.2V5a3 3 0 0 1 6 0v2.2" />
    </>
  ),
  flag: <path d="M3.5 14.5V2M3.5 2.6h9.2l-2.2 3 2.2 3H3.5" />,
  clock: (
    <>
      <circle cx="8" cy="8" r="6.1" />
      <path d="M8 4.4V8l2.6 1.9" />
    </>
  ),
  phone: (
    <path d="M3 2.2h3l1.2 3.3-1.7 1.3a8 8 0 0 0 3.7 3.7l1.3-1.7 3.3 1.2v3c0 .5-.4.9-.9.9A11 11 0 0 1 2.1 3.1c0-.5.4-.9.9-.9z" />
  ),
  mail: (
    <>
      <path d="M1.8 3.5h12.4v9H1.8z" />
      <path d="M2 4l6 4.7L14 4" />
    </>
  ),
  user: (
    <>
      <circle cx="8" cy="5" r="2.8" />
      <path d="M2.6 14c.4-3.2 2.5-4.8 5.4-4.8s5 1.6 5.4 4.8" />
    </>
  ),
  users: (
    <>
      <circle cx="6" cy="5.2" r="2.5" />
      <path d="M1.3 13.6c.3-3 2.1-4.4 4.7-4.4s4.4 1.4 4.7 4.4M10.6 2.9a2.5 2.5 0 0 1 0 4.7M12 9.6c1.7.6 2.6 1.9 2.8 4" />
    </>
  ),
  tag: (
    <>
      <path d="M1.8 7.6V2h5.6l6.8 6.8-5.6 5.6z" />
      <path d="M4.8 5h.1" strokeWidth="2" strokeLinecap="round" />
    </>
  ),
  camera: (
    <>
      <path d="M1.8 4.5h3l1.2-2h4l1.2 2h3v9H1.8z" />
      <circle cx="8" cy="8.7" r="2.5" />
    </>
  ),
  pen: (
    <>
      <path d="M2.2 13.8l.8-3.4L10.6 2.8l2.6 2.6L5.6 13z" />
      <path d="M9 4.4L11.6 7" />
    </>
  ),
  sign: (
    <>
      <path d="M1.5 10.5c2.2-5.5 4-7.5 4.8-6.8 1 .9-2.8 7-1.8 7.6 1 .6 2-3 3.2-2.6.9.3-.3 2.3.6 2.5 1 .2 1.3-1.5 2.2-1.3.7.2.5 1.1 1.3 1.1.7 0 1.5-.5 2.7-1" />
      <path d="M1.5 13.8h13" />
    </>
  ),
  file: (
    <>
      <path d="M3.5 1.8h6l3 3v9.4h-9z" />
      <path d="M9.5 1.8v3h3" />
    </>
  ),
  link: (
    <path d="M6.5 9.5l3-3M7.6 4.7l1.8-1.8a2.7 2.7 0 0 1 3.8 3.8l-1.9 1.8M8.4 11.3l-1.8 1.8a2.7 2.7 0 0 1-3.8-3.8l1.9-1.8" />
  ),
  note: (
    <>
      <path d="M2.5 2.5h11v7.3l-3.7 3.7H2.5z" />
      <path d="M13.5 9.8H9.8v3.7M5 5.5h6M5 8h3" />
    </>
  ),
  history: (
    <>
      <path d="M2 3v3.4h3.4" />
      <path d="M2.3 6.4A6 6 0 1 1 2 8.6" />
      <path d="M8 4.8V8l2.3 1.6" />
    </>
  ),
  send: (
    <>
      <path d="M1.8 8L14.3 2 11 14.2 7.6 9.2z" />
      <path d="M14.3 2L7.6 9.2" />
    </>
  ),
  alert: (
    <>
      <path d="M8 1.9L14.8 13.8H1.2z" />
      <path d="M8 6v3.8M8 11.2v1.3" />
    </>
  ),
  bang: <path d="M8 2.5v7M8 11.5v2" strokeWidth="2.2" />,
  info: (
    <>
      <circle cx="8" cy="8" r="6.1" />
      <path d="M8 7v4.3M8 4.4v1.4" />
    </>
  ),
  more: <path d="M2.5 8h2M7 8h2M11.5 8h2" strokeWidth="2" />,
  eye: (
    <>
      <path d="M1.2 8S3.6 3.5 8 3.5 14.8 8 14.8 8 12.4 12.5 8 12.5 1.2 8 1.2 8z" />
      <circle cx="8" cy="8" r="2" />
    </>
  ),
  grip: <path d="M5.5 3v2M5.5 7v2M5.5 11v2M10.5 3v2M10.5 7v2M10.5 11v2" strokeWidth="2" />,
  calendar: <path d="M2 3.5h12v10.3H2zM2 6.7h12M5 1.8v3M11 1.8v3" />,
  keyboard: (
    <>
      <path d="M1.3 4h13.4v8.3H1.3z" />
      <path d="M3.6 6.6h1.2M6.3 6.6h1.2M9 6.6h1.2M11.6 6.6h1M4.5 9.8h7" />
    </>
  ),
  offline: (
    <>
      <path d="M1.5 5.8a10 10 0 0 1 3-1.9M7 3.2a10 10 0 0 1 7.5 2.6M3.8 8.5a6.5 6.5 0 0 1 3-1.6M10 7.2a6.5 6.5 0 0 1 2.2 1.3M6.2 11a3 3 0 0 1 3.6 0M8 13.4h.1" />
      <path d="M2 1.8l12 12.4" />
    </>
  ),
  online: (
    <>
      <path d="M1.5 5.8a10 10 0 0 1 13 0M3.8 8.5a6.5 6.5 0 0 1 8.4 0M6.2 11a3 3 0 0 1 3.6 0" />
      <path d="M8 13.4h.1" strokeWidth="2" strokeLinecap="round" />
    </>
  ),
  battery: (
    <>
      <path d="M1.5 5h11.3v6H1.5zM12.8 7h1.7v2h-1.7" />
      <path d="M3.3 6.8v2.4M5.3 6.8v2.4M7.3 6.8v2.4" strokeWidth="1.6" />
    </>
  ),
  route: (
    <>
      <circle cx="3.6" cy="12.4" r="1.8" />
      <circle cx="12.4" cy="3.6" r="1.8" />
      <path d="M5.4 12.4h5a2.2 2.2 0 0 0 0-4.4H5.6a2.2 2.2 0 0 1 0-4.4h5" />
    </>
  ),
  van: (
    <>
      <path d="M1.3 3.8h8.2v7.7M9.5 6.3h3l2.2 2.7v2.5h-1.4M10.5 11.5H6M3 11.5H1.3V3.8" />
      <circle cx="4.5" cy="11.7" r="1.5" />
      <circle cx="11.9" cy="11.7" r="1.5" />
    </>
  ),
  refresh: (
    <>
      <path d="M13.6 6.5A5.9 5.9 0 0 0 3 5.2M2.4 9.5A5.9 5.9 0 0 0 13 10.8" />
      <path d="M3 1.9v3.5h3.5M13 14.1v-3.5H9.5" />
    </>
  ),
  download: <path d="M8 1.8v8.4M4.5 6.8L8 10.3l3.5-3.5M2 13.8h12" />,
  upload: <path d="M8 10.5V2M4.5 5.5L8 2l3.5 3.5M2 13.8h12" />,
  key: (
    <>
      <circle cx="4.8" cy="11.2" r="3" />
      <path d="M7 9l6.5-6.5M11 5l2 2M9 7l1.4 1.4" />
    </>
  ),
  hook: (
    <>
      <path d="M8 1.5v7.8a3.2 3.2 0 1 1-6.2-1" />
      <circle cx="8" cy="2.8" r="1.4" />
      <path d="M10.5 9.3h4M12.5 7.3v4" />
    </>
  ),
  shield: (
    <>
      <path d="M8 1.5l5.5 2v4.3c0 3.4-2.3 5.6-5.5 6.7-3.2-1.1-5.5-3.3-5.5-6.7V3.5z" />
      <path d="M5.5 8l1.9 1.9 3.3-3.7" />
    </>
  ),
  data: (
    <>
      <ellipse cx="8" cy="3.6" rx="5.5" ry="2" />
      <path d="M2.5 3.6v8.8c0 1.1 2.5 2 5.5 2s5.5-.9 5.5-2V3.6M2.5 8c0 1.1 2.5 2 5.5 2s5.5-.9 5.5-2" />
    </>
  ),
  bell: <path d="M2.5 11.8h11l-1.5-2V6.5a4 4 0 0 0-8 0v3.3zM6.5 13.8h3" />,
  copy: (
    <>
      <path d="M5.5 5.5h8.3v8.3H5.5z" />
      <path d="M10.5 5.5V2.2H2.2v8.3h3.3" />
    </>
  ),
  trash: <path d="M2 4h12M5.5 4V2h5v2M3.5 4l.7 10h7.6l.7-10M6.5 6.8v4.5M9.5 6.8v4.5" />,
  print: (
    <>
      <path d="M4 5.5V1.8h8v3.7M4 11.5H1.8v-6h12.4v6H12" />
      <path d="M4 9h8v5.2H4z" />
    </>
  ),
  out: <path d="M6 3H2.5v10.5H13V10M9 2h5v5M14 2L7.5 8.5" />,
  arrow: <path d="M2 8h11M9 4l4 4-4 4" />,
  back: <path d="M14 8H3M7 4L3 8l4 4" />,
  play: <path d="M4 2.5v11l9-5.5z" fill="currentColor" />,
  pause: <path d="M5 3v10M11 3v10" strokeWidth="2.6" />,
  locate: (
    <>
      <circle cx="8" cy="8" r="4.3" />
      <path d="M8 1v3M8 12v3M1 8h3M12 8h3" />
    </>
  ),
  layers: (
    <>
      <path d="M8 1.8L14.5 5.2 8 8.6 1.5 5.2z" />
      <path d="M1.5 8L8 11.4 14.5 8M1.5 10.8L8 14.2l6.5-3.4" />
    </>
  ),
  rows: <path d="M1.8 2.5h12.4v3.2H1.8zM1.8 8h12.4v3.2H1.8zM1.8 13.7h12.4" />,
  bookmark: <path d="M3.8 1.8h8.4v12.4L8 10.9l-4.2 3.3z" />,
  legend: (
    <>
      <path d="M2 2.5h3v3H2zM2 10.5h3v3H2zM7.5 4h6.5M7.5 12h6.5M7.5 8h6.5" />
      <path d="M2 8h3" />
    </>
  ),
  sun: (
    <>
      <circle cx="8" cy="8" r="3" />
      <path d="M8 1v2M8 13v2M1 8h2M13 8h2M3 3l1.4 1.4M11.6 11.6L13 13M13 3l-1.4 1.4M4.4 11.6L3 13" />
    </>
  ),
  moon: <path d="M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7z" />,
  pin: <path d="M5 1.8h6M6 1.8v5L3.8 9.5h8.4L10 6.8v-5M8 9.5v5" />,
  split: <path d="M2 8h4l4-4.5h4M6 8l4 4.5h4" />,
  merge: <path d="M14 8h-4L6 3.5H2M10 8l-4 4.5H2" />,
  swap: <path d="M2 5.5h11M10 2.5l3 3-3 3M14 10.5H3M6 7.5l-3 3 3 3" />,
  money: (
    <>
      <path d="M1.5 3.8h13v8.4h-13z" />
      <circle cx="8" cy="8" r="2.2" />
      <path d="M3.6 6v4M12.4 6v4" />
    </>
  ),
  steps: <path d="M2 3.5l1.3 1.3L5.5 2.5M2 9.5l1.3 1.3 2.2-2.3M8 4h6M8 10h6" />,
  home: <path d="M1.8 7.5L8 2l6.2 5.5M3.5 6.5v7.3h9V6.5" />,
  coffee: (
    <path d="M2.5 6h9v4a3.5 3.5 0 0 1-3.5 3.5H6A3.5 3.5 0 0 1 2.5 10zM11.5 7h1a1.7 1.7 0 0 1 0 3.4h-1M5 1.8v2M8.5 1.8v2" />
  ),
  help: (
    <>
      <circle cx="8" cy="8" r="6.1" />
      <path d="M6 6.2a2 2 0 1 1 2.7 1.9c-.5.2-.7.5-.7 1.2M8 10.8v1.3" />
    </>
  ),
  columns: <path d="M1.8 2.5h12.4v11H1.8zM6 2.5v11M10.2 2.5v11" />,
  expand: <path d="M9.5 2H14v4.5M14 2L9.2 6.8M6.5 14H2V9.5M2 14l4.8-4.8" />,
  enter: <path d="M13.5 3v5.5H3M6.5 5L3 8.5 6.5 12" />,
  's-unallocated': <circle cx="8" cy="8" r="5.4" strokeDasharray="2.6 1.64" strokeWidth="1.8" />,
  's-draft': <path d="M3 13l.9-3.6L10.2 3l2.8 2.8L6.6 12.1z" strokeWidth="1.8" />,
  's-waiting': <path d="M2.6 8h2.4M6.8 8h2.4M11 8h2.4" strokeWidth="2.6" />,
  's-accepted': (
    <>
      <circle cx="8" cy="8" r="5.2" strokeWidth="1.8" />
      <circle cx="8" cy="8" r="2.2" fill="currentColor" stroke="none" />
    </>
  ),
  's-started': <path d="M4.4 2.8v10.4L13 8z" fill="currentColor" strokeWidth="1" strokeLinejoin="round" />,
  's-paused': <path d="M5 3.2v9.6M11 3.2v9.6" strokeWidth="3" />,
  's-completed': <path d="M2.6 8.4l3.7 3.7 7.2-8.2" strokeWidth="2.2" />,
  's-declined': <path d="M3.6 3.6l8.8 8.8M12.4 3.6l-8.8 8.8" strokeWidth="2.2" />,
  's-canceled': (
    <>
      <circle cx="8" cy="8" r="5.2" strokeWidth="1.8" />
      <path d="M4.4 11.6l7.2-7.2" strokeWidth="1.8" />
    </>
  ),
}

export type IconName = keyof typeof drawings
