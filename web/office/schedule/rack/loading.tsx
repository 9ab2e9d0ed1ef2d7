/** What stands here until the day has been read: the same geometry, and nothing that moves. */
export const Loading = () => (
  <div className="sheet skeleton" aria-hidden="true">
    <div className="ruler">
      <span className="corner" />
      <span className="ticks" />
    </div>
    <div className="rows">
      {Array.from({ length: 20 }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of nothing
        <div className="row" key={i} style={{ top: i * 40, height: 40 }}>
          <div className="who">
            <span className="skel plate" />
            <span className="two">
              <span className="skel" style={{ width: 90 + ((i * 37) % 60), height: 10 }} />
              <span className="skel" style={{ width: 50 + ((i * 23) % 40), height: 8 }} />
            </span>
          </div>
          <div className="lane" />
        </div>
      ))}
    </div>
  </div>
)
