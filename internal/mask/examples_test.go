package mask_test

import (
	"bufio"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/mask"
)

// drawn returns n characters of an alphabet, the same in every run. The repository holds
// no text that a scanner could take for a secret.
func drawn(alphabet string, n int) string {
	r := rand.New(rand.NewPCG(uint64(n), uint64(len(alphabet))))
	var b strings.Builder
	for range n {
		b.WriteByte(alphabet[r.IntN(len(alphabet))])
	}
	return b.String()
}

const (
	hexDigits = "0123456789abcdef"
	upperCase = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	lowerCase = "abcdefghijklmnopqrstuvwxyz0123456789"
	letters   = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
)

// TestIssuedTokensAreMasked makes a token with each prefix.
func TestIssuedTokensAreMasked(t *testing.T) {
	if len(mask.Prefixes()) < 150 {
		t.Errorf("%d prefixes; want those of gitleaks at least", len(mask.Prefixes()))
	}
	for prefix, rest := range mask.Prefixes() {
		token := drawn(letters, rest+4)
		for _, command := range []string{"tool " + prefix + token, `curl -d '{"x":"` + prefix + token + `"}' y`, "X=" + prefix + token, "https://h/?x=" + prefix + token + "&y=1"} {
			if shown := mask.Excerpt(command); strings.Contains(shown, token[:8]) || strings.Contains(shown, token[len(token)-8:]) {
				t.Errorf("Excerpt(%q) = %q", command, shown)
			}
		}
	}
}

// shaped returns texts, each with a secret in a form that needs no name.
func shaped() [][2]string {
	uuid := drawn(hexDigits, 8) + "-" + drawn(hexDigits, 4) + "-" + drawn(hexDigits, 4) + "-" + drawn(hexDigits, 4) + "-" + drawn(hexDigits, 12)
	var all [][2]string
	add := func(before, secret, behind string) { all = append(all, [2]string{before + secret + behind, secret}) }
	add("op ", "A3-"+drawn(upperCase, 6)+"-"+drawn(upperCase, 11)+"-"+drawn(upperCase, 5)+"-"+drawn(upperCase, 5), "")
	add("az --x ", drawn(letters, 3)+"8Q~"+drawn(letters, 34), "")
	add("terraform login ", drawn(letters, 14)+".atlas"+"v1."+drawn(letters, 60), "")
	add("harness ", "pat."+drawn(letters, 22)+"."+drawn(letters, 24)+"."+drawn(letters, 20), "")
	add("harness ", "sat."+drawn(letters, 22)+"."+drawn(letters, 24)+"."+drawn(letters, 20), "")
	add("geoip ", drawn(letters, 6)+"_"+drawn(letters, 29)+"_mmk", "")
	add("airtable ", "pat"+drawn(letters, 14)+"."+drawn(hexDigits, 64), "")
	add("cf ", "v1.0-"+drawn(hexDigits, 24)+"-"+drawn(hexDigits, 146), "")
	add("databricks ", "dapi"+drawn(hexDigits, 32), "")
	add("clickhouse ", "4b1d"+drawn(letters, 38), "")
	add("twilio ", "SK"+drawn(hexDigits, 32), "")
	add("twilio ", "AC"+drawn(hexDigits, 32), "")
	add("mailgun ", "key-"+drawn(hexDigits, 32), "")
	add("mailchimp ", drawn(hexDigits, 32)+"-us12", "")
	add("lob ", "live_"+drawn(hexDigits, 35), "")
	add("resend ", "re_"+drawn(letters, 8)+"_"+drawn(letters, 24), "")
	add("vault read ", "s."+drawn(letters, 24), "")
	add("dropbox ", "sl."+drawn(letters, 135), "")
	add("octopus ", "API-"+drawn(upperCase, 26), "")
	add("yc ", "t1."+drawn(letters, 20)+"."+drawn(letters, 86), "")
	add("square ", "EAAA"+drawn(letters, 60), "")
	add("graph ", drawn("123456789", 15)+"|"+drawn(letters, 30), "")
	add("bot ", "123456789:AA"+drawn(letters, 33), "")
	add("discord ", "M"+drawn(letters, 23)+"."+drawn(letters, 6)+"."+drawn(letters, 27), "")
	add("plaid ", "access-sandbox-"+uuid, "")
	add("curl https://discord.com/api/webhooks/123/", drawn(letters, 60), "")
	add("curl https://api.telegram.org/bot", "12345:"+drawn(letters, 20), "/sendMessage")
	add("curl https://x.webhook.office.com/webhookb2/", uuid+"@"+uuid, "")
	add("curl 'https://prod.logic.azure.com/x?a=1&sig=", drawn(letters, 40), "&b=2'")
	add("aws x ", "A"+"KIA"+drawn(upperCase, 16), "")
	add("aws x ", "A"+"SIA"+drawn(upperCase, 16), "")
	add("git push ", "1/"+"/0"+drawn(letters, 40), "")
	add("echo ", drawn(letters+"+/", 64)+"==", " > key")
	add("echo ", drawn(letters, 40), "")
	add("echo ", drawn(lowerCase, 50), "")
	add("echo -e 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\\n", drawn(letters+"+/", 64), "' > key")
	add("echo b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ", drawn(letters+"+/", 64), "")
	return all
}

// named are texts with %s in the place of a value that only its name or the command makes
// a secret.
var named = []string{
	// NAME: value, YAML, JSON, Python, Ruby, Go, PHP, XML
	"password: %s", "echo 'password: %s' > c.yml", "echo \"db_password: %s\" >> c", "printf 'secret: %s\\n' > c", "cat <<E\nhost: x\n  api_key: %s\nE",
	"token: '%s'", "auth_token: \"%s\"", "{'password': '%s'}", "python -c \"x = {'password': '%s'}\"", "python -c 'c(password=\"%s\")'",
	"python -c \"c(user='a', passwd='%s')\"", "{\"password\": \"%s\"}", "{\"password\":\"%s\"}", "{\"user\":\"a\",\"client_secret\":\"%s\"}", "{ \"apiKey\" : \"%s\" }",
	"curl -d '{\"token\":\"%s\"}' x", "curl -d \"{\\\"token\\\": \\\"%s\\\"}\" x", "{\"accessToken\":\"%s\"}", "{\"private_key\":\"%s\"}", "{password: '%s'}",
	"SECRET => '%s'", "'secret' => '%s'", ":password => '%s'", "\"secret\" => \"%s\"", "secret_key_base: %s", "os.environ['API_TOKEN'] = '%s'",
	"os.environ[\"SECRET\"]=\"%s\"", "ENV['DB_PASSWORD'] = '%s'", "os.Setenv(\"API_TOKEN\", \"%s\")", "setenv('API_TOKEN', '%s')", "putenv(\"DB_PASSWORD\", \"%s\")",
	"const apiKey = '%s'", "let token = `%s`", "password := \"%s\"", "var secret = \"%s\";", "String password = \"%s\";", "<password>%s</password>",
	"<apiKey>%s</apiKey>", "<add key=\"DbPassword\" value=\"%s\" />", "password: |\n  %s", "kind: Secret\ndata:\n  x: %s", "kind: Secret\nstringData:\n  x: %s",
	"[default]\naws_secret_access_key = %s", "aws_session_token=%s", "spring.datasource.password=%s", "quarkus.datasource.password: %s", "passphrase: %s",
	"credentials: %s1", "pwd=1;db_pwd=%s", "Server=x;User Id=a;Password=%s;", "AccountName=a;AccountKey=%s;EndpointSuffix=x", "Endpoint=sb://x/;SharedAccessKey=%s",
	// shells
	"export DB_PASSWORD=%s", "DB_PASSWORD='%s' make", "DB_PASSWORD=\"%s\" make", "set -x API_TOKEN %s", "set -gx SECRET_KEY %s", "set -Ux GITHUB_TOKEN '%s'",
	"setx API_TOKEN %s", "setenv API_TOKEN %s", "$env:API_TOKEN = '%s'", "$env:API_TOKEN=\"%s\"", "[Environment]::SetEnvironmentVariable('API_TOKEN', '%s')",
	"declare -x TOKEN=%s", "env SECRET=%s make", "read -r PASSWORD <<< x; PASSWORD=%s", "Set-Variable -Name apiToken=%s", "sudo PASSWORD=%s make",
	// options
	"tool --password %s", "tool --password=%s", "tool --password '%s' x", "tool --token %s", "tool --api-key=%s", "tool --api-key %s", "tool --secret %s",
	"tool --client-secret %s", "tool --auth-token %s", "tool --access-token=%s", "tool --private-key '%s'", "tool -Password %s", "tool -DnexusPassword=%s",
	"tool --admin-password=%s", "tool --db_password %s", "tool --passphrase %s", "gpg --batch --passphrase %s -d x", "tool --secret-access-key %s",
	"keytool -storepass %s -keystore x", "keytool -keypass %s", "tool /password:%s", "tool /pass:%s", "svn co --password %s x", "wget --password=%s x", "wget --http-password=%s x",
	// programs
	"kubectl create secret generic x --from-literal=password=%s", "kubectl create secret generic x --from-literal=user=a --from-literal='token=%s'",
	"kubectl create secret docker-registry x --docker-password=%s", "helm install x --set auth.password=%s", "helm upgrade x --set 'db.password=%s,db.user=a'",
	"docker run -e DB_PASSWORD=%s x", "docker run --env SECRET_KEY=%s x", "docker build --build-arg NPM_TOKEN=%s .", "docker login -u me -p %s r", "docker login -u me --password %s",
	"podman login -u me -p %s r", "helm registry login -u me -p %s r", "az login --service-principal -u a -p %s --tenant t", "oc login --token=%s", "twine upload -u a -p %s dist/*",
	"echo %s | docker login -u me --password-stdin", "echo '%s' | docker login --password-stdin r", "printf '%%s' %s | docker login --password-stdin", "echo %s | sudo -S apt-get update",
	"echo -n %s | gh auth login --with-token", "echo me:%s | chpasswd", "echo \"%s\" | passwd --stdin me", "printf %s | gh secret set X", "docker login --password-stdin <<< %s",
	"echo '%s' | npx wrangler secret put X", "gh secret set API_KEY -b %s", "gh secret set API_KEY --body '%s'", "heroku config:set SECRET=%s", "fly secrets set API_TOKEN=%s",
	"aws configure set aws_secret_access_key %s", "aws configure set aws_session_token %s --profile p", "npm config set //registry.npmjs.org/:_authToken %s",
	"npm config set _authToken=%s", "echo '//registry.npmjs.org/:_authToken=%s' > .npmrc", "yarn config set npmAuthToken %s", "pip config set global.password %s",
	"git config --global user.password %s", "git config http.x.extraHeader 'AUTHORIZATION: basic %s'", "poetry config pypi-token.pypi %s", "poetry config http-basic.r me %s",
	"composer config http-basic.x.com me %s", "composer config github-oauth.github.com %s", "cargo login %s", "vault login %s", "vault kv put secret/x password=%s",
	"htpasswd -b f me %s", "htpasswd -bc f me %s", "htpasswd -cbB f me '%s'", "htpasswd -nb me %s", "mysql -u root -p%s db", "mysqldump -uroot -p'%s' db", "mysqladmin -u root -p%s status",
	"mariadb -u root -p%s", "sshpass -p %s ssh h", "sshpass -p'%s' scp a h:", "redis-cli -a %s ping", "mongosh -u a -p %s", "mongodump -u a -p '%s' --db d", "PGPASSWORD=%s psql",
	"psql 'host=x password=%s'", "psql postgres://a:%s@h/d", "psql \"postgresql://a:%s@h:5432/d?x=1\"", "mongodb+srv://a:%s@c.mongodb.net/d", "redis://:%s@h:6379", "amqp://a:%s@h/v",
	"sqlplus scott/%s@db", "sqlcmd -S h -U sa -P %s", "ldapsearch -D cn=a -w %s", "smbclient //h/s -U a%%%s", "lftp -u a,%s h", "zip -P %s a.zip f", "unzip -P %s a.zip", "7z a -p%s a.7z f",
	"openssl enc -aes-256-cbc -k pass:%s", "openssl rsa -in k -passin pass:%s", "openssl pkcs12 -export -passout pass:%s", "xfreerdp /u:a /p:%s /v:h", "net use \\\\h\\s /user:me %s", "pscp -pw %s f h:", "plink -pw %s h",
	"ipmitool -H h -U a -P %s power", "mosquitto_pub -h h -u a -P %s -t x", "snmpwalk -v3 -A %s h", "mc alias set m https://h me %s", "rclone config create r s3 secret_access_key=%s", //nolint:misspell // the name of a program
	"terraform apply -var 'db_password=%s'", "TF_VAR_db_password=%s terraform plan", "ansible-playbook x -e 'ansible_password=%s'", "ansible x --extra-vars \"become_pass=%s\"",
	"sonar-scanner -Dsonar.token=%s", "gradle -PsigningPassword=%s", "mvn -Dgpg.passphrase=%s", "cqlsh -u a -p %s", "curl --proxy-user a:%s x", "curl -x http://a:%s@p:1 x", "curl -x a:%s@p:1 x",
	// URLs, headers, cookies, netrc
	"curl -u me:%s x", "curl --user me:%s x", "curl -u 'me:%s' x", "http -a me:%s x", "curl https://me:%s@h/x", "git clone https://oauth2:%s@gitlab.com/a/b", "git clone https://x-access-token:%s@github.com/a/b",
	"git remote set-url origin https://me:%s@h/x.git", "curl 'https://h/?api_key=%s'", "curl 'https://h/?a=1&token=%s&b=2'", "curl 'https://h/x?X-Amz-Signature=%s'", "curl 'https://h/x?access_token=%s#f'",
	"curl -H 'Authorization: Bearer %s' x", "curl -H \"Authorization: token %s\" x", "curl -H 'Authorization: Basic %s' x", "curl -H 'X-API-Key: %s' x", "curl -H 'X-Auth-Token:%s' x", "curl -H 'PRIVATE-TOKEN: %s' x",
	"curl -H 'Cookie: session=%s' x", "curl -H 'Set-Cookie: sid=%s; Path=/' x", "curl -b session=%s x", "curl -b 'a=1; sid=%s' x", "curl --cookie 'sid=%s' x", "http x Cookie:sid=%s", "http POST x X-API-Key:%s",
	"wget --header='Authorization: Bearer %s' x", "git -c http.extraHeader='Authorization: Bearer %s' fetch", "xh x Authorization:%s", "curl --oauth2-bearer %s x1 --token x", "grpcurl -H 'authorization: Bearer %s' x",
	"echo 'machine h login me password %s' > ~/.netrc", "printf 'machine h\\nlogin me\\npassword %s' > n", "echo 'default login me password %s' >> ~/.netrc", "bearer %s", "curl -d 'user=a&password=%s' x", "curl --data-urlencode 'password=%s' x",
	"curl -F password=%s x", "the password is %s", "PHPSESSID=%s", "JSESSIONID=%s curl x", "vercel deploy -t %s", "wscat -c 'wss://h?jwt=%s'",
}

// values returns secrets for the texts above.
func values() []string {
	return []string{planted, "s3cr3tPassw0rd", "hunter22abc", drawn(letters, 24), drawn(lowerCase, 20)}
}

func filled(command, value string) string {
	return strings.ReplaceAll(strings.Replace(strings.ReplaceAll(command, "%%", "\x00"), "%s", value, 1), "\x00", "%")
}

func TestNamedSecretsAreMasked(t *testing.T) {
	shown := 0
	for _, command := range named {
		for _, value := range values() {
			text := filled(command, value)
			if got := mask.Excerpt(text); strings.Contains(got, value[:6]) || strings.Contains(got, value[len(value)-6:]) {
				shown++
				t.Errorf("Excerpt(%q) = %q", text, got)
			}
		}
	}
	for _, s := range shaped() {
		if got := mask.Excerpt(s[0]); strings.Contains(got, s[1][len(s[1])/2:]) || strings.Contains(got, s[1][:len(s[1])/2]) {
			shown++
			t.Errorf("Excerpt(%q) = %q", s[0], got)
		}
	}
	t.Logf("%d shapes with names, %d of their own, %d prefixes; %d shown", len(named), len(shaped()), len(mask.Prefixes()), shown)
}

// TestFormsHaveExamples holds that every form of secrets has a text that shows it.
func TestFormsHaveExamples(t *testing.T) {
	examples := append(slices.Clone(secrets), awsKey)
	for _, command := range named {
		examples = append(examples, filled(command, planted))
	}
	for _, s := range shaped() {
		examples = append(examples, s[0])
	}
	for _, form := range mask.Forms() {
		if !slices.ContainsFunc(examples, form.MatchString) {
			t.Errorf("no example has the form %s", form)
		}
	}
}

// TestExcerptKeepsOrdinaryTexts reads one text per line.
func TestExcerptKeepsOrdinaryTexts(t *testing.T) {
	f, err := os.Open("testdata/ordinary.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for lines := bufio.NewScanner(f); lines.Scan(); n++ {
		if got := mask.Excerpt(lines.Text()); strings.Contains(got, "***") {
			t.Errorf("Excerpt(%q) = %q", lines.Text(), got)
		}
	}
	if n < 300 {
		t.Errorf("%d texts; want 300", n)
	}
}

func BenchmarkExcerpt(b *testing.B) {
	for _, text := range []string{"cargo build --release", "export API_KEY=" + planted, strings.Repeat("go test ./internal/x -run TestKey && ", 100)} {
		b.Run(text[:12], func(b *testing.B) {
			for b.Loop() {
				mask.Excerpt(text)
			}
		})
	}
}
