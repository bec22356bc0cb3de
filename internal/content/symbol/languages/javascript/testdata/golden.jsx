import React, { useState as s } from 'react';
export default function App({ name = 'x', ...rest }) {
  return <div>{name}</div>;
}
export class View extends React.Component {
  static kind = 'view';
  #hidden = 1;
  render() { return <a b={() => 1} />; }
  #secret() {}
}
export const { a, b: c } = s();
function helper(x) { return x; }
export { helper, s as state };
exports.parse = function (text, n = 2) { return text; };
module.exports.other = helper;
