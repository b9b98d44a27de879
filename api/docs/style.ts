/** Style of the reference pages: no fonts, scripts or images from anywhere. */
export const style = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --accent: #2266cc; }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; }
nav { padding: 1rem 1.5rem; border-bottom: 1px solid var(--line); }
nav h1, main h1 { font-size: 1.4rem; margin: 0 0 .3rem; }
nav ul { list-style: none; padding: 0; margin: .5rem 0 0; columns: 22rem; font-size: .9rem; }
main { max-width: 64rem; padding: 1rem 1.5rem 4rem; margin: auto; }
section { padding: 1.2rem 0; border-bottom: 1px solid var(--line); }
h2 { font-size: 1.15rem; overflow-wrap: anywhere; }
h2 span { font-size: .8rem; padding: .15rem .5rem; border-radius: .3rem; color: #fff; background: var(--accent); }
h2 .post { background: #1d7a46; } h2 .delete { background: #b3362b; } h2 .patch { background: #8a6100; }
h3 { font-size: 1rem; margin: 1rem 0 .3rem; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; display: block; overflow-x: auto; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border-bottom: 1px solid var(--line); }
tr:target { background: #ffd54a55; }
code, pre { font-family: ui-monospace, monospace; font-size: .88em; }
code { background: var(--soft); padding: .05rem .25rem; border-radius: .25rem; }
pre { background: var(--soft); padding: .8rem; overflow-x: auto; border-radius: .4rem; }
details { margin: .4rem 0; } summary { cursor: pointer; }
a { color: var(--accent); } .codes a { margin-right: .4rem; white-space: nowrap; } .key { opacity: .8; }
@media (min-width: 80rem) { body { display: grid; grid-template-columns: 21rem 1fr; } nav { position: sticky; top: 0; height: 100vh; overflow: auto; border-right: 1px solid var(--line); border-bottom: 0; } nav ul { columns: auto; } main { margin: 0; } }
`;
