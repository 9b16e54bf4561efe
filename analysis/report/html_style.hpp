// SPDX-License-Identifier: MIT
// The style sheet of report.html. Private to this folder. System fonts and system colours: the page
// follows the reader's light or dark setting, and black on white on paper.
#pragma once

#include <string_view>

namespace gammascope::report {

inline constexpr std::string_view html_style = R"css(
:root { color-scheme: light dark;
  --page: #ffffff; --ink: #1c1f23; --soft: #5a6169; --line: #d9dde2; --card: #f5f7f9;
  --good: #00684b; --bad: #b03a00; --doubt: #8a5a00; --accent: #0072b2; }
@media (prefers-color-scheme: dark) { :root {
  --page: #15181c; --ink: #e6e9ec; --soft: #a3abb4; --line: #363c44; --card: #1e2329;
  --good: #4fd0a5; --bad: #ff9b66; --doubt: #f0c060; --accent: #6cb8ec; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem clamp(0.8rem, 3vw, 2.5rem) 3rem; max-width: 76rem; background: var(--page);
  color: var(--ink); font: 1rem/1.55 system-ui, "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 0.3rem; }
article { margin-top: 3.5rem; padding-top: 1.2rem; border-top: 3px solid var(--accent); }
li { margin: 0.3rem 0; max-width: 60rem; }
a { color: var(--accent); }
h2 { font-size: 1.2rem; margin: 2.4rem 0 0.6rem; padding-bottom: 0.25rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1.5rem 0 0.4rem; }
p { margin: 0.5rem 0; max-width: 48rem; }
.soft { color: var(--soft); font-size: 0.9rem; }
.summary { font-size: 1.1rem; border-left: 4px solid var(--accent); padding: 0.4rem 0 0.4rem 0.9rem; margin: 1rem 0; }
.scroll { overflow-x: auto; margin: 0.5rem 0; }
table { border-collapse: collapse; font-size: 0.92rem; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
th, td { padding: 0.28rem 0.75rem 0.28rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--soft); white-space: nowrap; }
td.number, th.number { text-align: right; white-space: nowrap; }
tr.first td { border-bottom: none; padding-bottom: 0; }
.why { position: sticky; left: 0; max-width: min(60rem, calc(100vw - 2.5rem)); color: var(--soft); font-size: 0.95em;
  padding-bottom: 0.3rem; }
td.nobreak { white-space: nowrap; }
.word { font-weight: 700; white-space: nowrap; }
.good { color: var(--good); } .bad { color: var(--bad); } .doubt { color: var(--doubt); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.15rem 1.2rem; margin: 0.5rem 0; font-size: 0.95rem; }
dt { color: var(--soft); } dd { margin: 0; }
code, pre { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 0.88em; }
pre { background: var(--card); padding: 0.7rem 0.9rem; overflow-x: auto; border-radius: 4px; }
figure { margin: 1.4rem 0 2rem; }
figure svg { display: block; width: 100%; min-width: 36rem; max-width: 60rem; height: auto; }
figure svg text { fill: var(--ink); }
figure svg .gridline { stroke: var(--line); }
figure svg [color="white"] { color: var(--page); }
figcaption { max-width: 48rem; color: var(--soft); font-size: 0.92rem; }
ul { padding-left: 1.2rem; } li { margin: 0.3rem 0; }
details { margin: 0.5rem 0; } summary { cursor: pointer; color: var(--accent); }
@media (max-width: 40rem) { body { font-size: 0.95rem; } dl { grid-template-columns: 1fr; gap: 0; } dd { margin: 0 0 0.4rem; } }
@media print { :root { --page: #fff; --ink: #000; --soft: #333; --line: #bbb; --card: #f3f3f3;
    --good: #004d38; --bad: #8a2d00; --doubt: #6b4500; --accent: #004f7c; }
  body { max-width: none; padding: 0; font-size: 10pt; } .scroll { overflow: visible; }
  figure, tr { break-inside: avoid; } h2, h3 { break-after: avoid; } figure svg { min-width: 0; } }
)css";

}  // namespace gammascope::report
