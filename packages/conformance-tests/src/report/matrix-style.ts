/** The look of the page of reports, by day and by night. */
export const matrixStyle = `
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem; color: #1b1b1b; background: #fff }
table { border-collapse: collapse } th, td { border: 1px solid #ccc; padding: .25rem .6rem; text-align: left; vertical-align: top }
thead th { position: sticky; top: 0; background: #f3f3f3 } th.peer { overflow-wrap: anywhere; max-width: 18rem }
tr.group th { background: #f3f3f3; padding-top: .6rem } th.level { font-weight: normal }
tbody td:nth-child(2) { max-width: 34rem } td details { max-width: 18rem }
small { color: #595959; font-weight: normal } small span { white-space: nowrap }
.passed { background: #e3f4e3 } .failed, .stale { background: #fbdcdc } .warned { background: #fdf3c4 }
.fault { background: #fce0c0 } .known { background: #eee } .skipped, .none { color: #595959 }
td a { color: inherit } h3 b, .legend dt { padding: 0 .4rem; border-radius: .2rem; font-weight: normal }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem } .legend div { display: flex; gap: .4rem } dd { margin: 0 }
section { margin: 1.2rem 0; max-width: 70rem } section h3 { font-size: 1rem; margin: .4rem 0 } section dl { margin: .4rem 0 }
section dt { color: #595959 } section dd { margin: 0 0 .4rem; overflow-wrap: anywhere }
pre { font-size: 12px; background: #f7f7f7; padding: .5rem; max-height: 30rem; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere }
section:target { outline: 2px solid #2a6fdb; outline-offset: .4rem }
body:has(#only:checked) tr.kept { display: none }
@media (prefers-color-scheme: dark) {
  body { color: #e8e8e8; background: #161616 } thead th, tr.group th { background: #242424 } pre { background: #1f1f1f }
  small, section dt, .skipped, .none { color: #a8a8a8 } th, td { border-color: #444 }
  .passed { background: #16361a } .failed, .stale { background: #4b1a1a } .warned { background: #453c0c }
  .fault { background: #4a300c } .known { background: #2a2a2a }
}`;
