function parse(a) {}
const x = 1;
module.exports = { parse, renamed: x };
