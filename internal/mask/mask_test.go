package mask_test

import (
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/mask"
)

// planted is the secret in the commands below. No excerpt may contain it.
const planted = "Pl4ntedS3cretPl4ntedS3cret01234567890"

// awsKey holds a key whose form leaves no room for the planted secret.
const awsKey = "AWS=AKIAIOSFODNN7EXAMPLE aws s3 ls"

// secrets are commands with the planted secret, in every form that is masked.
var secrets = []string{
	"git clone https://ghp_" + planted + "@github.com/a/b",
	"GH=github_pat_" + planted + " gh pr list",
	"echo gho_" + planted,
	"glab auth --with glpat-" + planted,
	"npm config set //registry/:_authToken npm_" + planted,
	"echo sk-ant-api03-" + planted,
	"echo sk_live_" + planted,
	"post xoxb-" + planted,
	"curl localhost?x=AIzaSy" + planted[:33],
	"echo eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0." + planted,
	`curl -H "Authorization: Bearer ` + planted + `" https://x`,
	`curl -H 'authorization: Basic ` + planted + `==' https://x`,
	`http GET x Authorization:` + planted,
	`curl -H "X-Api-Key: ` + planted + `" x`,
	`curl -H "PRIVATE-TOKEN: ` + planted + `" x`,
	`curl -d '{"password": "` + planted + `"}' x`,
	`curl -d "{\"client_secret\":\"` + planted + `\"}" x`,
	`curl -H "Cookie: a=1; sid=` + planted + `" x`,
	"curl --cookie sid=" + planted + " x",
	"curl 'https://x.blob.core.windows.net/a?sv=1&sig=" + planted + "&se=2'",
	"curl https://hooks.slack.com/services/T0/B0/" + planted,
	"tool bearer " + planted,
	"tool --password " + planted + " --verbose",
	"tool --verbose --password=" + planted,
	`tool --api-key "` + planted + `"`,
	"tool --github-token '" + planted + " with more'",
	"tool -token " + planted,
	"docker login -u me -p " + planted + " registry",
	"sshpass -p" + planted + " ssh host",
	"mysqldump -u root -p" + planted + " db",
	"redis-cli -h x -a " + planted + " ping",
	"curl -u me:" + planted + " https://x",
	"psql postgres://me:" + planted + "@host:5432/db",
	"psql postgres://me:a@" + planted + "@host:5432/db",
	"git push https://" + planted + "@host/x",
	"export API_KEY=" + planted,
	"KEY=" + planted + " make",
	`DB_PASSWORD="` + planted + ` with \"more\" in it" make`,
	"AWS_SECRET_ACCESS_KEY='" + planted + "' aws s3 ls",
	`$env:githubToken = "` + planted + `"`,
	"mvn -DnexusPassword=" + planted + " deploy",
	"curl 'https://x/?a=b&access_token=" + planted + "&c=d'",
	"cat > .env <<EOF\nA=1\nSECRET_KEY_BASE=" + planted + "\nEOF",
	"echo '-----BEGIN RSA PRIVATE KEY-----\n" + planted + "\n-----END RSA PRIVATE KEY-----' > k",
	"echo '-----BEGIN PRIVATE KEY-----\n" + strings.Repeat(planted, 300),
	strings.Repeat(`PASSWORD="`+strings.Repeat("x", 300)+`" `, 13) + strings.Repeat("y", 45) + " " + planted,
}

func TestExcerptMasks(t *testing.T) {
	for _, command := range secrets {
		if shown := mask.Excerpt(command); strings.Contains(shown, planted[:8]) {
			t.Errorf("Excerpt(%q) = %q, which holds the secret", command, shown)
		}
	}
	if got, want := mask.Excerpt(awsKey), "AWS=*** aws s3 ls"; got != want {
		t.Errorf("Excerpt = %q, want %q", got, want)
	}
	if got, want := mask.Excerpt("PGPASSWORD=abc psql -h host --password def db"), "PGPASSWORD=*** psql -h host --password *** db"; got != want {
		t.Errorf("Excerpt = %q, want %q", got, want)
	}
}

func TestExcerptKeepsOtherText(t *testing.T) {
	for _, command := range []string{
		"",
		"cargo build",
		`git commit -m "fix token: handle EOF"`,
		"git show 5461e809102fc7890c195ba1c5683292aaaabbbb",
		"git checkout -b task-skeleton-of-the-monkey-patch-parser",
		"go get github.com/open-policy-agent/opa@v1.22.0",
		"mkdir -p src/auth/tokens && ssh -p 2222 me@host ls",
		"mysql -P 3306 -h db app",
		"pip install risk-score==1.2.3",
		"sort --key=2 --key 3 data.tsv",
		"tool --max-tokens=5000 --token-file ~/.secrets/token --password-stdin",
		"make MONKEY=1 KEYWORD=x PWD=/tmp",
		`docker run -e TOKEN="$TOKEN" -p 80:80 image:1.2.3`,
		"API_KEY=${KEY} PASSWORD=$(pass show x) make",
		"grep -rn password src/",
		"git log --stat src/login -p src/x",
		"curl https://host:8080/path?x=1",
		"ls asia/ akia/ hf_datasets",
		"cat src/session/échec.go \"日本語\" 🚨",
		"npm test -- --reporter=dot",
		"gh auth login --with-token < token.txt",
		"git commit --author me --signoff -m design",
		"docker pull registry:5000/hooks/image",
		"/home/dev/proj/src/passwords/key.rs",
	} {
		if got := mask.Excerpt(command); got != command {
			t.Errorf("Excerpt(%q) = %q", command, got)
		}
	}
}

func TestExcerptIsOneShortLine(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"lines":            {"a\nb\r\n\tc", `a\nb\r\n\tc`},
		"escapes":          {"echo \x1b[2J\x00\x7f", `echo \x1b[2J\x00\x7f`},
		"turned text":      {"a\u202eb\u2028c", `a\u202eb\u2028c`},
		"quotes":           {`it's "so" \n`, `it's "so" \n`},
		"no UTF-8":         {"a\xffb", `a\xffb`},
		"a replaced one":   {"a\uFFFDb", "a\uFFFDb"},
		"exactly 200":      {strings.Repeat("é", 200), strings.Repeat("é", 200)},
		"one more":         {strings.Repeat("é", 201), strings.Repeat("é", 200) + "…"},
		"a file in a word": {strings.Repeat("x", 1<<20), strings.Repeat("x", 200) + "…"},
	}
	for name, test := range tests {
		if got := mask.Excerpt(test.text); got != test.want {
			t.Errorf("%s: Excerpt = %q, want %q", name, got, test.want)
		}
	}
}
