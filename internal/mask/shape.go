package mask

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// value matches a word of a shell with its quotes.
const value = `(?:"(?:[^"\\]|\\.)*"?|'[^']*'?|[^\s"';&|)]+)`

// shape is a form of secrets. Only texts that contain one of its hints, in lower case, are
// searched for it, and only then is it compiled: most runs need none of them.
type shape struct {
	hints []string
	form  func() *regexp.Regexp
	shown string
}

func newShape(form, shown string, hints ...string) shape {
	return shape{hints, sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(form) }), shown}
}

// token is a shape of what is masked as a whole.
func token(form string, hints ...string) shape { return newShape(form, masked, hints...) }

// after is a shape whose first group is shown.
func after(form string, hints ...string) shape { return newShape(form, "${1}"+masked, hints...) }

// attached is a shape of the value of an option that is one word with it.
func attached(programs, options string, hints ...string) shape {
	return after(`(\b(?:`+programs+`)\b[^|;&\n]*?\s(?:`+options+`))`+value, hints...)
}

// flag is a shape of the value of an option of some programs.
func flag(programs, options string, hints ...string) shape {
	return after(`(\b(?:`+programs+`)\b[^|;&\n]*?\s(?:`+options+`)[ =]*)`+value, hints...)
}

var shapes = []shape{
	token(`(?s)-----BEGIN [A-Z0-9 ]*(?:PRIVATE KEY|CERTIFICATE|PGP MESSAGE)[A-Z ]*-----.*?(?:-----END [A-Z0-9 ]*-----|$)`, "-----begin"),
	token(`\b(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b`, "akia", "asia", "abia", "acca", "a3t"),
	token(`\beyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)*`, "eyj"),
	token(`\bA3-[A-Z0-9]{6}-[A-Z0-9-]{20,}`, "a3-"),
	token(`[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,}`, "q~"),
	token(`\b[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{20,}`, "atlasv1"),
	token(`\b[ps]at\.[\w-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}`, "pat.", "sat."),
	token(`\b[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk`, "_mmk"),
	token(`\bpat[A-Za-z0-9]{14}\.[a-f0-9]{16,}`, "pat"),
	token(`\bv1\.0-[a-f0-9]{24}-[a-f0-9]{40,}`, "v1.0-"),
	token(`\b(?:dapi|4b1d)[A-Za-z0-9]{28,}(?:-\d)?`, "dapi", "4b1d"),
	token(`\b(?:SK|AC)[0-9a-f]{32}\b`, "sk", "ac"),
	token(`\b(?:pub)?key-[0-9a-f]{32}`, "key-"),
	token(`\b[0-9a-f]{32}-us\d{1,2}\b`, "-us"),
	token(`\b(?:live|test)_(?:pub_)?[0-9a-f]{31,}`, "live_", "test_"),
	token(`\bre_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}`, "re_"),
	token(`\bs\.[A-Za-z0-9]{24}\b`, "s."),
	token(`\bsl\.[\w-]{60,}`, "sl."),
	token(`\bAPI-[A-Z0-9]{26}`, "api-"),
	token(`\bt1\.[\w-]+={0,2}\.[\w-]{60,}={0,2}`, "t1."),
	token(`\bEAAA[\w-]{40,}`, "eaaa"),
	token(`\b\d{15,16}(?:\||%7C)[\w-]{27,40}`, "|", "%7c"),
	token(`\b\d{5,16}:A[\w-]{32,}`, ":a"),
	token(`\baccess-(?:sandbox|development|production)-[0-9a-f-]{36}`, "access-"),
	after(`(?i)((?:authorization|cookie)\\?["']?\s*[:=]\s*\\?["']?)[^"'\\\n]+`, "authorization", "cookie"),
	after(`(?i)(\bbearer\s+)[A-Za-z0-9._~+/=-]{8,}`, "bearer"),
	after(`(?i)(\b(?:[a-z0-9]+-)+(?:key|token|secret|password|auth)\s*:\s*)[^\s"'\\]+`, "key", "token", "secret", "passw", "auth"),
	after(`(\bhooks\.[a-z.]+/)[^\s"']+`, "hooks."),
	after(`(\bdiscord(?:app)?\.com/api/webhooks/)[^\s"']+`, "api/webhooks"),
	after(`(\bapi\.telegram\.org/bot)[^\s"'/]+`, "telegram.org"),
	after(`(\.webhook\.office\.com/webhookb2/)[^\s"']+`, "webhookb2"),
	after(`(\.logic\.azure\.com[^\s"']*[?&]sig=)[^\s"'&]+`, "logic.azure"),
	newShape(`(://[^\s/:@"']*:)[^\s/"']+@`, "${1}"+masked+"@", "://"),
	newShape(`(://)[^\s/:@"']{20,}@`, "${1}"+masked+"@", "://"),
	newShape(`(\s(?:-x|--proxy)[ =]*["']?[^\s/:@"']+:)[^\s/"'@]+@`, "${1}"+masked+"@", "-x", "--proxy"),
	newShape(`(?i)(<(?:\w+:)?\w*(?:password|passwd|secret|token|api_?key)>)[^<]+(</)`, "${1}"+masked+"${2}", "</"),
	newShape(`(?i)(<add\s+key="[^"]*(?:password|secret|token|key)[^"]*"\s+value=")[^"]+"`, "${1}"+masked+`"`, "<add"),
	after(`(?i)([\w.-]*(?:password|passwd|secret|token|key):\s*[|>][+-]?\s*\n\s*)\S+`, ": |", ": >"),
	after(`(?is)(\bkind:\s*["']?secret\b.*?\b(?:data|stringData):\s+[\w.-]+:\s*)\S+`, "kind:"),
	after(`((?:^|\s)(?:-passin|-passout|-k|-pass)\s+pass:)`+value, "pass:"),
	after(`(?i)((?:^|\s)/(?:pass|password|pw):)`+value, "/p"),
	after(`(?i)(\bx?freerdp\b[^|;&\n]*?\s/p:)`+value, "freerdp"),
	after(`(?i)(\bnet\s+use\b[^|;&\n]*\s/user:\S+\s+)`+value, "net use"),
	after(`(?i)(\bpassw(?:or)?d\s+(?:is|was)\s*:?\s+)["']?[^\s"']*\d[^\s"']*`, "password", "passwd"),
	attached(`mysql|mysqldump|mysqladmin|mysqlimport|mysqlsh|mariadb|mariadb-dump|mariadb-admin`, `-p`, "mysql", "mariadb"),
	flag(`(?:docker|podman|nerdctl|buildah|skopeo|helm registry|oras|az|oc|acr|crane auth|twine upload) ?(?:login)?`, `-p`, "login", "twine"),
	flag(`sshpass|mongo|mongosh|mongodump|mongorestore|mongoexport|mongoimport|cqlsh|psexec|rdesktop|ncftp|ncftpput`, `-p`, "sshpass", "mongo", "cqlsh", "psexec", "rdesktop", "ncftp"),
	flag(`redis-cli|http|https|xh`, `-a`, "redis-cli", "http", "xh"),
	flag(`ldapsearch|ldapadd|ldapmodify|ldapdelete|ldapwhoami|ldappasswd`, `-w`, "ldap"),
	flag(`sqlcmd|bcp|zip|unzip|ipmitool|mosquitto_pub|mosquitto_sub|kadmin|sqoop`, `-P`, "sqlcmd", "bcp", "zip", "ipmitool", "mosquitto"), //nolint:misspell // the name of a program
	attached(`7z|7za|7zz|rar|unrar`, `-p`, "7z", "rar"),
	flag(`plink|pscp|psftp|putty`, `-pw`, "plink", "pscp", "psftp", "putty"),
	flag(`snmpwalk|snmpget|snmpset|snmpbulkwalk`, `-[AXc]`, "snmp"),
	flag(`gh (?:secret|variable) set`, `-b|--body`, "gh secret", "gh variable"),
	flag(`vercel|doctl|firebase|nomad|consul`, `-t`, "vercel", "doctl", "firebase"),
	flag(`smbclient|rpcclient|smbmap|net`, `-U ?[^\s%]+%`, "smbclient", "rpcclient", "smbmap"),
	flag(`lftp`, `-u ?[^\s,]+,`, "lftp"),
	after(`(\b(?:curl|wget|https?|xh)\b[^|;&\n]*?\s(?:-u|--user|--proxy-user)[=\s]*["']?[^\s:"']*:)[^\s"']+`, "curl", "wget", "http", "xh"),
	after(`(\b(?:curl|wget|https?|xh)\b[^|;\n]*?\s(?:-b|--cookie)[=\s]*["']?)[^\s"'=;]+=[^"'\n]+`, "curl", "wget", "http", "xh"),
	after(`(\bsqlplus\b[^|;&\n]*?\s[\w.]+/)[^\s@"']+`, "sqlplus"),
	after(`(\bhtpasswd\b[^|;&\n]*?\s-[a-zA-Z]*n[a-zA-Z]*b?[a-zA-Z]*\s+\S+\s+)`+value, "htpasswd"),
	after(`(\bhtpasswd\b[^|;&\n]*?\s-[a-zA-Z]*b[a-zA-Z]*\s+\S+\s+\S+\s+)`+value, "htpasswd"),
	after(`(\b(?:cargo login|vault login|snyk auth|vault token (?:lookup|revoke|renew)|heroku authorizations:info|op signin --account)\s+)[^\s"';&|)-][^\s"';&|)]{7,}`, "login", "auth", "vault token"),
	after(`(\bmc alias set\s+\S+\s+\S+\s+\S+\s+)`+value, "mc alias"),
	after(`(\bpoetry config\s+(?:http-basic\.\S+\s+\S+|pypi-token\.\S+)\s+)`+value, "poetry config"),
	after(`(\bcomposer config\b[^|;&\n]*?\s(?:http-basic\.\S+\s+\S+|[\w-]+-(?:oauth|token)\.\S+)\s+)`+value, "composer config"),
	after(`(?s)(\b(?:machine|default)\b.*?(?:\b|\\n)password(?:\s|\\n)+)[^\s"'\\]+`, "password"),
	newShape(`(\b(?:echo|printf)\s+(?:-[neE]+\s+|["']%s(?:\\n)?["']\s+)*)`+value+`(\s*\|\s*[^|;&\n]*(?:-stdin\b|--with-token|\bsudo\b[^|;&\n]*\s-[a-zA-Z]*S|chpasswd|smbpasswd|\bpasswd\b|\bgh (?:auth|secret)|secret put|vault login|vault kv|cryptsetup|--passphrase-fd|-passin|ssh-add))`, "${1}"+masked+"${2}", "echo", "printf"),
	after(`((?:-stdin|--with-token|--passphrase-fd 0|\bchpasswd|\bsecret set [^|;&\n<]*|\bsudo -S[^|;&\n<]*)\s*<<<\s*)`+value, "<<<"),
}

// maskShapes replaces secrets of known forms.
func maskShapes(text string) string {
	lower := strings.ToLower(text)
	for _, s := range shapes {
		if slices.ContainsFunc(s.hints, func(hint string) bool { return strings.Contains(lower, hint) }) {
			text = s.replace(text)
		}
	}
	return text
}

// schemes lists the words before a secret in a header.
var schemes = []string{"Bearer ", "bearer ", "Basic ", "basic ", "token ", "Token "}

// replace replaces the secrets of a shape. What only names a variable stays.
func (s shape) replace(text string) string {
	form := s.form()
	return form.ReplaceAllStringFunc(text, func(match string) string {
		shown := form.FindStringSubmatch(match)
		if len(shown) > 1 {
			hidden := strings.TrimSpace(strings.TrimPrefix(match, shown[1]))
			for _, scheme := range schemes {
				hidden = strings.TrimPrefix(hidden, scheme)
			}
			if isVariable(unquoted(hidden)) {
				return match
			}
		}
		return form.ReplaceAllString(match, s.shown)
	})
}
