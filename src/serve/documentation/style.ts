/** /docs/guides.css, for guides and reference. It has the panel's colours, and follows the reader's light or dark setting. */
export const STYLE = `:root {
  color-scheme: light dark;
  --text: light-dark(#1b1c25, #e6e6ee);
  --quiet: light-dark(#5d5e6e, #a0a2b2);
  --back: light-dark(#ffffff, #121318);
  --shade: light-dark(#f4f4f7, #191b21);
  --line: light-dark(#e3e3ea, #2a2c36);
  --control: light-dark(#8d8d9d, #737687);
  --link: light-dark(#3540b8, #a9b1ff);
  --button: light-dark(#3a46c9, #5b67e6);
  --chosen: light-dark(#ecedfb, #262a45);
  --good: light-dark(#17693a, #7fd3a1);
  --warn: light-dark(#855400, #ecc071);
  --bad: light-dark(#b3251e, #ff9d94);
}
* { box-sizing: border-box; }
html { scroll-padding-top: 4.5rem; }
body { margin: 0; background: var(--back); color: var(--text); font: 1rem/1.6 system-ui, sans-serif; }
a { color: var(--link); }
[hidden] { display: none !important; }
header { position: sticky; top: 0; z-index: 1; display: flex; gap: .4rem 1.4rem; align-items: center; min-height: 3.4rem; padding: .4rem max(1.2rem, calc(50vw - 44rem)); background: var(--back); border-bottom: 1px solid var(--line); }
header a { text-decoration: none; }
header .brand { color: var(--text); font-weight: 650; font-size: 1.05rem; }
header > nav { display: flex; gap: 1.2rem; }
header > nav a { padding: .3rem 0; color: var(--quiet); border-bottom: 2px solid transparent; }
header > nav a[aria-current] { color: var(--text); border-color: var(--button); }
header search { flex: 1; display: flex; justify-content: flex-end; }
header search form { width: 100%; max-width: 20rem; }
input, select, textarea, button { font: inherit; color: inherit; }
input:not([type=radio]), select, textarea { width: 100%; padding: .35rem .6rem; background: var(--back); border: 1px solid var(--control); border-radius: 6px; }
::placeholder { color: var(--quiet); opacity: 1; }
header summary { cursor: pointer; color: var(--link); }
header details { display: none; }
header details nav { position: absolute; left: 0; right: 0; top: 100%; max-height: calc(100vh - 4rem); overflow: auto; padding: 0 1.2rem 1.2rem; background: var(--back); border-bottom: 1px solid var(--line); }
.columns { display: grid; grid-template-columns: 14rem minmax(0, 50rem); gap: 3rem; max-width: 88rem; margin: 0 auto; padding: 0 0 0 1.2rem; }
.side { position: sticky; top: 3.4rem; align-self: start; max-height: calc(100vh - 3.4rem); overflow: auto; padding: 1rem .6rem 2rem 0; font-size: .9rem; }
nav p { margin: 1rem 0 .2rem; color: var(--quiet); font-size: .84rem; font-weight: 600; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav ul ul { margin: .1rem 0 .5rem .1rem; border-left: 1px solid var(--line); }
.side li a { display: block; padding: .22rem .6rem; border-radius: 6px; color: var(--quiet); text-decoration: none; }
.side li a:hover { color: var(--text); }
.side a.open { color: var(--text); font-weight: 600; }
nav a[aria-current=page] { color: var(--link) !important; background: var(--chosen); }
header details nav li a { display: block; padding: .25rem 0; text-decoration: none; }
.contents { margin: 1rem 0 2rem; padding: .2rem 0 .2rem 1rem; border-left: 3px solid var(--line); font-size: .94rem; }
main { min-width: 0; padding: 1rem 1.2rem 5rem 0; overflow-wrap: break-word; }
h1, h2, h3 { line-height: 1.25; letter-spacing: -.01em; }
h1 { margin: .6rem 0 1rem; font-size: 1.9rem; }
h2 { margin: 2.6rem 0 .8rem; font-size: 1.3rem; }
h3 { margin: 1.8rem 0 .5rem; font-size: 1.08rem; }
section:target { outline: 2px solid var(--link); outline-offset: .6rem; }
dt { font-weight: 600; }
dd { margin: 0 0 .6rem; color: var(--quiet); }
.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .5rem 1.6rem; margin: 1.4rem 0 0; padding: 1rem 1.2rem; border: 1px solid var(--line); border-radius: 10px; font-size: .95rem; }
.facts dd { margin: 0; }
code, pre { font: .88em/1.55 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { padding: .1em .25em; background: var(--shade); border-radius: 4px; }
pre { overflow-x: auto; padding: .9rem 1rem; background: var(--shade); border: 1px solid var(--line); border-radius: 8px; }
pre code { padding: 0; background: none; font-size: 1em; }
.wide { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; min-width: 100%; font-size: .94rem; overflow-wrap: normal; }
th, td { padding: .45rem .8rem .45rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
td { min-width: 7rem; }
.home { max-width: 46rem; margin: 0 auto; padding: 2rem 1.2rem 5rem; }
mark { background: var(--chosen); color: inherit; border-radius: 2px; }
.results { list-style: none; margin: 0; padding: 0; }
.results li { padding: .8rem 0; border-bottom: 1px solid var(--line); }
.results p { margin: 0; font-size: .94rem; }
.results .found { display: flex; flex-wrap: wrap; gap: 0 .8rem; align-items: baseline; font-size: 1rem; }
.results .found a { font-weight: 600; text-decoration: none; }
.results span { color: var(--quiet); font-size: .86rem; }
.group > p { margin: 0 0 .6rem; color: var(--quiet); }
.operations { list-style: none; margin: 0; padding: 0; border: 1px solid var(--line); border-radius: 10px; }
.operations li { position: relative; display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); gap: .2rem 1rem; align-items: baseline; padding: .5rem 1rem; border-top: 1px solid var(--line); }
.operations li:first-child { border-top: 0; }
.operations li:hover { background: var(--shade); }
.operations a { color: var(--text); text-decoration: none; }
.operations a::after { content: ''; position: absolute; inset: 0; }
.operations span { display: flex; gap: .6rem; align-items: baseline; min-width: 0; }
.operations code { background: none; color: var(--quiet); overflow-wrap: anywhere; }
.method { flex: none; min-width: 3.4rem; font: 650 .74rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.get { color: var(--good); }
.post, .put, .patch { color: var(--link); }
.delete { color: var(--bad); }
.above { margin: 0; font-size: .9rem; }
.above a { color: var(--quiet); text-decoration: none; }
.above + h1 { margin-top: .2rem; }
.line { display: flex; flex-wrap: wrap; gap: .3rem .7rem; align-items: center; margin: 0 0 1rem; padding: .55rem .9rem; border: 1px solid var(--line); border-radius: 8px; }
.line .method { min-width: 0; }
.line code { background: none; padding: 0; overflow-wrap: anywhere; }
.access { margin-left: auto; color: var(--quiet); font-size: .86rem; }
.reference main { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 30rem); gap: 3rem; padding-right: 1.2rem; }
.reference { grid-template-columns: 14rem minmax(0, 1fr); }
.reference .code { position: sticky; top: 3.4rem; align-self: start; max-height: calc(100vh - 3.4rem); overflow: auto; padding: 1rem 0 2rem; }
.fields { list-style: none; margin: 0; padding: 0; }
.fields > li { padding: .7rem 0; border-top: 1px solid var(--line); }
.fields p { margin: .15rem 0 0; font-size: .94rem; }
.fields .field { margin: 0; }
.fields .name { padding: 0; background: none; font-weight: 650; }
.type, .bounds { color: var(--quiet); font-size: .86rem; }
.bounds code { font-size: .95em; }
.required { color: var(--warn); font-size: .8rem; }
.fields details { margin: .5rem 0 0; }
.fields summary { width: fit-content; padding: .15rem .6rem; border: 1px solid var(--line); border-radius: 6px; color: var(--link); font-size: .86rem; cursor: pointer; }
.fields summary code { background: none; padding: 0; }
.fields details > .fields, .fields details > .either { margin-left: .2rem; padding-left: 1rem; border-left: 2px solid var(--line); }
.either { margin: .8rem 0 .2rem; color: var(--quiet); font-size: .9rem; }
.media { margin: .2rem 0 .4rem; font-size: .86rem; }
.answer h3 { margin: 1.2rem 0 .3rem; font-size: 1rem; font-weight: 400; }
.status { display: inline-block; min-width: 2.6rem; font: 650 .86rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; color: var(--quiet); }
.answer .status { color: var(--good); }
.problems { list-style: none; margin: 0; padding: 0; font-size: .92rem; }
.problems li { display: flex; flex-wrap: wrap; gap: 0 .8rem; align-items: baseline; padding: .25rem 0; }
.problems li > span:last-child { color: var(--quiet); }
.samples, .example { position: relative; margin: 0 0 1.2rem; }
fieldset { display: flex; flex-wrap: wrap; gap: .2rem; margin: 0 0 .5rem; padding: 0; border: 0; }
legend { float: left; margin-right: .8rem; padding: .25rem 0; color: var(--quiet); font-size: .86rem; }
fieldset label { position: relative; padding: .2rem .6rem; border-radius: 6px; color: var(--quiet); font-size: .86rem; cursor: pointer; }
fieldset label:has(:checked) { background: var(--chosen); color: var(--link); }
fieldset label:has(:focus-visible) { outline: 2px solid var(--button); }
fieldset input { position: absolute; inset: 0; margin: 0; opacity: 0; cursor: pointer; }
.code pre { margin: 0; max-height: 26rem; overflow: auto; font-size: .82rem; }
.samples pre { display: none; }
.samples:has([value=curl]:checked) [data-language=curl], .samples:has([value=JavaScript]:checked) [data-language=JavaScript], .samples:has([value=Python]:checked) [data-language=Python], .samples:has([value=PHP]:checked) [data-language=PHP] { display: block; }
.samples .copy { display: none; }
.samples:has([value=curl]:checked) [data-language=curl] + .copy, .samples:has([value=JavaScript]:checked) [data-language=JavaScript] + .copy, .samples:has([value=Python]:checked) [data-language=Python] + .copy, .samples:has([value=PHP]:checked) [data-language=PHP] + .copy { display: block; }
.copy { position: absolute; right: .5rem; padding: .1rem .6rem; background: var(--back); border: 1px solid var(--line); border-radius: 6px; color: var(--quiet); font-size: .8rem; cursor: pointer; }
.copy { top: 2.75rem; }
.example .copy { top: 2.4rem; }
.head { margin: 0 0 .4rem; color: var(--quiet); font-size: .86rem; }
i { font-style: normal; }
.k { color: var(--text); }
.t { color: var(--good); }
.v { color: var(--link); }
.try { border: 1px solid var(--line); border-radius: 8px; padding: .6rem .9rem; }
.try summary { cursor: pointer; font-weight: 600; }
.try form { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: .6rem .8rem; margin: .8rem 0; font-size: .9rem; }
.try form > .who, .try form > .token, .try form > p, .try label:has(textarea, [type=file]), .try form button { grid-column: 1 / -1; }
.try label { display: block; font-size: .86rem; font-weight: 600; }
.try input, .try select, .try textarea { font-weight: 400; }
.try textarea { font: .82rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.try small, .warning { color: var(--quiet); font-weight: 400; }
.warning { margin: 0; color: var(--warn); }
.try form button { justify-self: start; padding: .4rem 1rem; background: var(--button); border: 0; border-radius: 6px; color: #fff; font-weight: 600; cursor: pointer; }
.try form button:disabled { opacity: .6; }
main img { max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: 8px; }
:focus-visible { outline: 2px solid var(--button); outline-offset: 1px; }
@media (max-width: 72rem) {
  .reference main { display: block; }
  .reference .code { position: static; max-height: none; }
}
@media (max-width: 56rem) {
  .columns, .reference { display: block; padding: 0 1.2rem; }
  .reference main, main { padding-right: 0; }
  .home { padding-right: 1.2rem; }
  .side { display: none; }
  header { flex-wrap: wrap; }
  header search { order: 5; flex-basis: 100%; }
  header search form { max-width: none; }
  header details { display: block; margin-left: auto; }
  header, header .brand { gap: .3rem .8rem; font-size: .9rem; }
  header > nav { gap: .8rem; }
  html { scroll-padding-top: 7rem; }
  .operations li { grid-template-columns: minmax(0, 1fr); }
  .facts { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .facts dd { margin-bottom: .6rem; }
  h1 { font-size: 1.6rem; }
}
@media print {
  header, .side, .contents { display: none; }
  .columns { display: block; }
}
`
