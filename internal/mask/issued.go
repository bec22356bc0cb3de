package mask

import (
	"slices"
	"strings"
	"sync"
)

// issuer lists the prefixes by which a service marks its secrets.
type issuer struct {
	name     string
	rest     int // characters that follow a prefix at least
	prefixes []string
}

// issuers and [shapes] follow the rules of gitleaks (config/gitleaks.toml at b58d3f1,
// https://github.com/gitleaks/gitleaks; MIT License, Copyright (c) 2019 Zachary Rice) and
// the documentation of the services. Lengths are lower bounds, because a report shows the
// beginning of what it cuts.
var issuers = []issuer{
	{"1Password", 16, []string{"ops_eyJ"}},
	{"Adafruit", 16, []string{"aio_"}},
	{"Adobe", 16, []string{"p8e-"}},
	{"age", 16, []string{"AGE-SECRET-KEY-1", "AGE-PLUGIN-"}},
	{"Alibaba", 16, []string{"LTAI"}},
	{"Anthropic, OpenAI, Stability and others", 16, []string{"sk-", "sk-ant-", "sk-proj-", "sk-svcacct-", "sk-admin-", "sk-or-v1-", "sk-lf-"}},
	{"Artifactory", 40, []string{"AKCp", "cmVmd"}},
	{"Atlassian", 16, []string{"ATATT3", "ATATT", "ATCTT3", "ATBB", "BBDC-"}},
	{"Authress", 16, []string{"scauth_", "authress_"}},
	{"AWS", 16, []string{"ABSK", "bedrock-api-key-", "IQoJb3JpZ2lu", "FwoGZXIvYXdz"}},
	{"Buildkite", 16, []string{"bkua_", "bkct_"}},
	{"CircleCI", 16, []string{"CCIPAT_", "CCIPRJ_"}},
	{"Clojars", 16, []string{"CLOJARS_"}},
	{"Contentful", 16, []string{"CFPAT-"}},
	{"Defined Networking", 16, []string{"dnkey-"}},
	{"DigitalOcean", 16, []string{"doo_v1_", "dop_v1_", "dor_v1_"}},
	{"Docker", 16, []string{"dckr_pat_", "dckr_oat_"}},
	{"Doppler", 16, []string{"dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."}},
	{"Duffel", 16, []string{"duffel_test_", "duffel_live_"}},
	{"Dynatrace", 16, []string{"dt0c01.", "dt0s01.", "dt0s02.", "dt0s16."}},
	{"E2B", 24, []string{"e2b_"}},
	{"EasyPost", 16, []string{"EZAK", "EZTK"}},
	{"Facebook", 40, []string{"EAAM", "EAAC", "EAAB", "EAAG"}},
	{"Figma", 16, []string{"figd_", "figu_", "figo_"}},
	{"Flutterwave", 12, []string{"FLWSECK_TEST-", "FLWSECK-", "FLWPUBK_TEST-"}},
	{"Fly.io", 24, []string{"fo1_", "fm1a_", "fm1r_", "fm2_"}},
	{"Frame.io", 16, []string{"fio-u-"}},
	{"GitHub", 16, []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"}},
	{"GitLab", 16, []string{
		"glpat-", "gldt-", "glrt-", "glrtr-", "glcbt-", "glffct-", "glft-", "glimt-", "glagent-", "gloas-", "glptt-",
		"glsoat-", "glwt-", "GR1348941", "_gitlab_session=",
	}},
	{"Google", 16, []string{"ya29.", "GOCSPX-", "AIza", "1//0"}},
	{"Grafana", 16, []string{"glc_", "glsa_", "eyJrIjoi"}},
	{"Groq", 24, []string{"gsk_"}},
	{"HashiCorp", 16, []string{"hvs.", "hvb.", "hvr."}},
	{"Heroku", 16, []string{"HRKU-"}},
	{"Hugging Face", 16, []string{"hf_", "api_org_"}},
	{"Infracost", 16, []string{"ico-"}},
	{"Intra42", 16, []string{"s-s4t2ud-", "s-s4t2af-"}},
	{"Jina", 24, []string{"jina_"}},
	{"JSON Web Token in base64", 24, []string{"ZXlK"}},
	{"LangSmith", 16, []string{"lsv2_pt_", "lsv2_sk_"}},
	{"Linear", 16, []string{"lin_api_", "lin_oauth_"}},
	{"MailerSend", 24, []string{"mlsn."}},
	{"Netlify", 24, []string{"nfp_"}},
	{"New Relic", 16, []string{"NRAK-", "NRII-", "NRJS-", "NRRA-"}},
	{"Notion", 24, []string{"ntn_", "secret_"}},
	{"npm", 16, []string{"npm_"}},
	{"NuGet", 40, []string{"oy2"}},
	{"NVIDIA", 24, []string{"nvapi-"}},
	{"OpenShift", 16, []string{"sha256~"}},
	{"OpenSSH private key", 16, []string{"b3BlbnNzaC1rZXktdjE"}},
	{"Perplexity", 24, []string{"pplx-"}},
	{"Pinecone", 24, []string{"pcsk_"}},
	{"PKCS key", 24, []string{"MIIEv", "MIIEp", "MIIEo", "MIIJK", "MIIJQ", "MIICX", "MIICd", "MIIG", "MIGHAgEA", "MIGTAgEA", "MHcCAQEE", "MC4CAQAw", "LS0tLS1CRUdJTi"}},
	{"PlanetScale", 16, []string{"pscale_tkn_", "pscale_oauth_", "pscale_pw_"}},
	{"PostHog", 24, []string{"phx_"}},
	{"Postman", 16, []string{"PMAK-", "PMAT-"}},
	{"Prefect", 16, []string{"pnu_", "pnb_"}},
	{"Pulumi", 16, []string{"pul-"}},
	{"PyPI", 16, []string{"pypi-"}},
	{"ReadMe", 16, []string{"rdme_"}},
	{"Replicate", 24, []string{"r8_"}},
	{"RubyGems", 16, []string{"rubygems_"}},
	{"Scalingo", 16, []string{"tk-us-", "tk-eu-"}},
	{"SendGrid", 16, []string{"SG."}},
	{"Brevo", 16, []string{"xkeysib-", "xsmtpsib-"}},
	{"Sentry", 16, []string{"sntrys_", "sntryu_"}},
	{"SettleMint", 12, []string{"sm_aat_", "sm_pat_", "sm_sat_"}},
	{"Shippo", 16, []string{"shippo_live_", "shippo_test_"}},
	{"Shopify", 16, []string{"shpat_", "shpca_", "shppa_", "shpss_", "shptka_", "shprt_"}},
	{"Slack", 8, []string{"xoxa-", "xoxb-", "xoxc-", "xoxd-", "xoxe-", "xoxe.xox", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xapp-"}},
	{"Sonar", 24, []string{"squ_", "sqp_", "sqa_"}},
	{"Sourcegraph", 16, []string{"sgp_"}},
	{"Square", 16, []string{"sq0atp-", "sq0csp-", "sq0idp-"}},
	{"Stripe", 10, []string{"sk_test_", "sk_live_", "sk_prod_", "rk_test_", "rk_live_", "rk_prod_", "whsec_"}},
	{"Supabase", 16, []string{"sbp_", "sb_secret_"}},
	{"Tailscale", 10, []string{"tskey-"}},
	{"Tavily", 16, []string{"tvly-"}},
	{"Typeform", 24, []string{"tfp_"}},
	{"Vercel", 16, []string{"vercel_blob_rw_"}},
	{"xAI", 24, []string{"xai-"}},
	{"Yandex", 24, []string{"AQVN"}},
}

// prefixes are the prefixes of all issuers by their first byte, the longest first.
var prefixes = sync.OnceValue(func() *[256][]prefix {
	var all [256][]prefix
	for _, i := range issuers {
		for _, p := range i.prefixes {
			all[p[0]] = append(all[p[0]], prefix{p, i.rest})
		}
	}
	for _, some := range all {
		slices.SortFunc(some, func(a, b prefix) int { return len(b.text) - len(a.text) })
	}
	return &all
})

type prefix struct {
	text string
	rest int
}

// maskIssued replaces what begins with the prefix of an issuer.
func maskIssued(text string) string {
	var out strings.Builder
	from, byFirst := 0, prefixes()
	for at := 0; at < len(text); at++ {
		if at > 0 && (isAlnum(text[at-1]) || text[at-1] == '_' && text[at] != '_') {
			continue // inside of a word
		}
		for _, p := range byFirst[text[at]] {
			if end := p.end(text[at:]); end > 0 {
				out.WriteString(text[from:at] + masked)
				from, at = at+end, at+end-1
				break
			}
		}
	}
	if from == 0 {
		return text
	}
	return out.String() + text[from:]
}

// end returns the length of the token that a text begins with, 0 if there is none.
func (p prefix) end(text string) int {
	if !strings.HasPrefix(text, p.text) {
		return 0
	}
	end := len(p.text)
	for end < len(text) && isTokenByte(text[end]) {
		end++
	}
	if token := text[len(p.text):end]; len(token) < p.rest || !mixed(token) {
		return 0
	}
	return end
}

func isAlnum(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9'
}

func isTokenByte(b byte) bool { return isAlnum(b) || strings.IndexByte("_.~=+/-", b) >= 0 }

// mixed reports whether a token is more than words: it has a digit that is part of a word,
// unlike those of a version, or letters of both cases in one word.
func mixed(token string) bool {
	parts := strings.FieldsFunc(token, func(r rune) bool { return r > 0x7f || !isAlnum(byte(r)) }) //nolint:gosec // a byte by then
	return slices.ContainsFunc(parts, func(part string) bool {
		digits, lower, upper := classes(part)
		return digits > 0 && lower+upper > 0 && len(part) >= 6 || digits >= 8 || upper > 1 && lower > 1 && len(part) >= 8
	})
}

func classes(s string) (digits, lower, upper int) {
	for i := range len(s) {
		switch b := s[i]; {
		case '0' <= b && b <= '9':
			digits++
		case 'a' <= b && b <= 'z':
			lower++
		case 'A' <= b && b <= 'Z':
			upper++
		}
	}
	return digits, lower, upper
}
