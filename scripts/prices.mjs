// Writes the price table of internal/agents/price from the npm package @pydantic/genai-prices:
//   node prices.mjs DIRECTORY_OF_THE_PACKAGE DATE_OF_ITS_RELEASE OUT
// Prices become whole millionths of a millionth of a dollar for each token.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const [dir, date, out] = process.argv.slice(2)
const source = readFileSync(join(dir, 'dist/index.js'), 'utf8')
const name = source.match(/^const (\w+) = \[\n {2}\{\n {4}id: /m)[1] // the package does not export its data
const copy = join(mkdtempSync(join(tmpdir(), 'prices-')), 'data.mjs')
writeFileSync(copy, source.replace(/export \{[^}]*\};?\s*$/, '') + `\nexport default ${name};\n`)
const providers = (await import(copy)).default

const keys = { input_mtok: 'input', output_mtok: 'output', cache_read_mtok: 'cache_read', cache_write_mtok: 'cache_write', cache_write_1h_mtok: 'cache_write_1h' }

function picos(mtok) {
	const n = Math.round(mtok * 1e6)
	if (Math.abs(n - mtok * 1e6) > 1e-3) throw new Error(`${mtok} is finer than the unit`)
	return n
}

function priceOf(q) {
	const p = {}
	for (const [from, to] of Object.entries(keys)) {
		const v = q.prices[from]
		if (v === undefined) continue
		p[to] = typeof v === 'number' ? [[0, picos(v)]] : [[0, picos(v.base)], ...v.tiers.map(t => [t.start, picos(t.price)])]
	}
	const c = q.constraint
	if (c?.type === 'start_date') p.from = c.start_date.slice(0, 10)
	else if (c?.type === 'time_of_date') p.hours = [c.start_time, c.end_time].map(t => t.slice(0, 8))
	else if (c) throw new Error(JSON.stringify(c))
	return p
}

// Go has no (?!…): it becomes a match of its own, which must fail.
function match(m) {
	if (m.or) return { or: m.or.map(match) }
	if (m.and) return { and: m.and.map(match) }
	if (m.regex?.startsWith('^(?!')) {
		let depth = 0, end = 1
		for (; end === 1 || depth > 0; end++) depth += { '(': 1, ')': -1 }[m.regex[end]] ?? 0
		const rest = m.regex.slice(end)
		return { and: [{ not: { regex: '^' + m.regex.slice(4, end - 1) } }, ...(rest ? [{ regex: '^' + rest }] : [])] }
	}
	return m
}

const table = {
	source: '@pydantic/genai-prices', version: JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')).version,
	date, digest: 'sha256:' + createHash('sha256').update(source).digest('hex'), license: readFileSync(join(dir, 'LICENSE'), 'utf8'),
	providers: providers.filter(p => p.model_match).map(p => ({
		id: p.id, match: match(p.model_match),
		models: p.models.map(m => ({ id: m.id, match: match(m.match), prices: (Array.isArray(m.prices) ? m.prices : [{ prices: m.prices }]).map(priceOf) }))
			.filter(m => m.prices.every(p => p.input)),
	})),
}
writeFileSync(out, gzipSync(JSON.stringify(table), { level: 9 }))
console.log(`${out}: ${table.version} of ${date}, ${table.providers.reduce((n, p) => n + p.models.length, 0)} models, ${table.digest}`)
