/** /docs/guides.css. Colours follow the reader's light or dark setting. */
export const STYLE = `:root {
  color-scheme: light dark;
  --text: light-dark(#1c2024, #e4e6e8);
  --quiet: light-dark(#5a636b, #9aa4ad);
  --back: light-dark(#ffffff, #15181b);
  --shade: light-dark(#f3f5f6, #20252a);
  --line: light-dark(#d8dde1, #343b42);
  --link: light-dark(#0b5cad, #7cb7f2);
}
* { box-sizing: border-box; }
html { scroll-padding-top: 4rem; }
body { margin: 0; background: var(--back); color: var(--text); font: 1rem/1.6 system-ui, sans-serif; }
a { color: var(--link); }
header { position: sticky; top: 0; z-index: 1; display: flex; gap: 1rem; justify-content: space-between; align-items: baseline; padding: .7rem max(1.2rem, calc(50vw - 34.8rem)); background: var(--back); border-bottom: 1px solid var(--line); }
header > a { color: var(--text); font-weight: 600; text-decoration: none; }
header summary { cursor: pointer; color: var(--link); }
header details { display: none; }
header details nav { position: absolute; left: 0; right: 0; top: 100%; max-height: calc(100vh - 4rem); overflow: auto; padding: 0 1.2rem 1.2rem; background: var(--back); border-bottom: 1px solid var(--line); }
.columns { display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 2.5rem; max-width: 72rem; margin: 0 auto; padding: 0 1.2rem; }
.side { position: sticky; top: 3.2rem; align-self: start; max-height: calc(100vh - 3.2rem); overflow: auto; padding: 1rem 0 2rem; font-size: .94rem; }
nav p { margin: 1rem 0 .2rem; color: var(--quiet); font-size: .84rem; font-weight: 600; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: block; padding: .2rem 0; text-decoration: none; }
nav a[aria-current] { color: var(--text); font-weight: 600; }
.contents { margin: 1rem 0 2rem; padding: .2rem 0 .2rem 1rem; border-left: 3px solid var(--line); font-size: .94rem; }
main { min-width: 0; padding: 1rem 0 5rem; overflow-wrap: break-word; }
h1, h2, h3 { line-height: 1.25; }
h1 { margin: .6rem 0 1rem; font-size: 1.9rem; }
h2 { margin: 2.6rem 0 .8rem; font-size: 1.35rem; }
h3 { margin: 1.8rem 0 .5rem; font-size: 1.08rem; }
section:target { outline: 2px solid var(--link); outline-offset: .6rem; }
dt { font-weight: 600; }
dd { margin: 0 0 .6rem; color: var(--quiet); }
code, pre { font: .9em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { padding: .1em .25em; background: var(--shade); border-radius: 3px; }
pre { overflow-x: auto; padding: .9rem 1rem; background: var(--shade); border-radius: 6px; }
pre code { padding: 0; background: none; font-size: 1em; }
.wide { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; min-width: 100%; font-size: .94rem; overflow-wrap: normal; }
th, td { padding: .45rem .8rem .45rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
td { min-width: 7rem; }
.home { max-width: 44rem; margin: 0 auto; padding: 2rem 1.2rem 5rem; }
header > a + a { color: var(--link); font-weight: 400; }
@media (max-width: 56rem) {
  .columns { display: block; }
  .side { display: none; }
  header details { display: block; }
  h1 { font-size: 1.6rem; }
}
@media print {
  header, .side, .contents { display: none; }
  .columns { display: block; }
}
`
