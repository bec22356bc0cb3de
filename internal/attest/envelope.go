package attest

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rand"
	_ "crypto/sha512" // P-384 and P-521 sign its digests
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"

	"github.com/secure-systems-lab/go-securesystemslib/dsse"

	"github.com/rulecheck/rulecheck/internal/regular"
)

// wantPrivate and wantPublic say which keys are read, and how to make them.
const (
	wantPrivate = "want a PEM file with an unencrypted ECDSA or Ed25519 key, as \"openssl genpkey -algorithm ed25519\" writes it"
	wantPublic  = "want PEM blocks \"PUBLIC KEY\" of ECDSA or Ed25519 keys, as \"openssl pkey -pubout\" writes them"
)

// key is a public key, and the private one if it can sign.
type key struct {
	public crypto.PublicKey
	signer crypto.Signer // nil: only verifies
	hash   crypto.Hash   // of what is signed; 0: none, as Ed25519 wants it
}

// newKey returns an error for a key of another algorithm.
func newKey(public crypto.PublicKey, signer crypto.Signer) (key, error) {
	switch k := public.(type) {
	case ed25519.PublicKey:
		return key{public: k, signer: signer}, nil
	case *ecdsa.PublicKey:
		// The hashes that DSSE's implementations pair with the curves.
		hashes := map[int]crypto.Hash{256: crypto.SHA256, 384: crypto.SHA384, 521: crypto.SHA512}
		if hash := hashes[k.Curve.Params().BitSize]; hash != 0 {
			return key{k, signer, hash}, nil
		}
	}
	return key{}, fmt.Errorf("is a key of type %T", public)
}

func (k key) digest(data []byte) []byte {
	if k.hash == 0 {
		return data
	}
	h := k.hash.New()
	h.Write(data)
	return h.Sum(nil)
}

// Sign implements [dsse.Signer].
func (k key) Sign(_ context.Context, data []byte) ([]byte, error) {
	return k.signer.Sign(rand.Reader, k.digest(data), k.hash)
}

// Verify implements [dsse.Verifier].
func (k key) Verify(_ context.Context, data, signature []byte) error {
	valid := false
	switch public := k.public.(type) {
	case ed25519.PublicKey:
		valid = ed25519.Verify(public, data, signature)
	case *ecdsa.PublicKey:
		valid = ecdsa.VerifyASN1(public, k.digest(data), signature)
	}
	if !valid {
		return errors.New("wrong signature")
	}
	return nil
}

// KeyID implements [dsse.Signer]: the fingerprint that ssh-keygen shows.
func (k key) KeyID() (string, error) { return dsse.SHA256KeyID(k.public) }

// Public implements [dsse.Verifier].
func (k key) Public() crypto.PublicKey { return k.public }

// Sign puts a statement into an envelope that the private key in a PEM file signs.
func Sign(ctx context.Context, s *Statement, keyFile string) ([]byte, error) {
	text, err := regular.ReadFile(keyFile)
	if err != nil {
		return nil, err
	}
	k, err := privateKey(text)
	if err != nil {
		return nil, fmt.Errorf("%q %w; %s", keyFile, err, wantPrivate)
	}
	signer, err := dsse.NewEnvelopeSigner(k)
	if err != nil {
		return nil, err
	}
	body, err := s.Bytes()
	if err != nil {
		return nil, err
	}
	envelope, err := signer.SignPayload(ctx, payloadType, body)
	if err != nil {
		return nil, err
	}
	return json.Marshal(envelope)
}

func privateKey(text []byte) (key, error) {
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		var parsed any
		var err error
		switch block.Type {
		case "PRIVATE KEY":
			parsed, err = x509.ParsePKCS8PrivateKey(block.Bytes)
		case "EC PRIVATE KEY":
			parsed, err = x509.ParseECPrivateKey(block.Bytes)
		case "EC PARAMETERS": // openssl ecparam writes it before the key
			continue
		default:
			err = fmt.Errorf("has a block %q", block.Type)
		}
		if err != nil {
			return key{}, err
		}
		signer, ok := parsed.(crypto.Signer)
		if !ok {
			return key{}, fmt.Errorf("is a key of type %T", parsed)
		}
		return newKey(signer.Public(), signer)
	}
	return key{}, errors.New("has no PEM block")
}

// Signers verifies the signatures of trusted keys.
type Signers struct{ verifier *dsse.EnvelopeVerifier }

// ReadSigners reads the public keys in a file of PEM blocks. Text around the blocks is a comment.
func ReadSigners(file string) (*Signers, error) {
	text, err := regular.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var keys []dsse.Verifier
	seen := map[string]bool{}
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		k, err := publicKey(block)
		if err != nil {
			return nil, fmt.Errorf("%q %w; %s", file, err, wantPublic)
		}
		id, err := k.KeyID()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if !seen[id] {
			keys = append(keys, k)
		}
		seen[id] = true
	}
	if len(keys) == 0 {
		return nil, fmt.Errorf("%q has no PEM block; %s", file, wantPublic)
	}
	verifier, err := dsse.NewEnvelopeVerifier(keys...)
	return &Signers{verifier}, err
}

func publicKey(block *pem.Block) (key, error) {
	if block.Type != "PUBLIC KEY" {
		return key{}, fmt.Errorf("has a block %q", block.Type)
	}
	public, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return key{}, err
	}
	return newKey(public, nil)
}

// Open returns the statement in an envelope, and the fingerprint of the trusted key that
// signed it.
func (s *Signers) Open(ctx context.Context, envelope []byte) (*Statement, string, error) {
	var e dsse.Envelope
	if err := strictly(envelope, &e); err != nil {
		return nil, "", fmt.Errorf("is no DSSE envelope: %w", err)
	}
	if e.PayloadType != payloadType {
		return nil, "", fmt.Errorf("has the payload type %q; want %q", e.PayloadType, payloadType)
	}
	accepted, body, err := s.verifier.VerifyAndDecode(ctx, &e)
	if err != nil || len(accepted) == 0 {
		return nil, "", errors.New("no trusted key signed it")
	}
	var statement Statement
	if err := strictly(body, &statement); err != nil {
		return nil, "", fmt.Errorf("holds no statement of this program: %w", err)
	}
	if statement.Type != statementType || statement.PredicateType != predicateType {
		return nil, "", fmt.Errorf("holds a statement of type %q, %q; want %q, %q", statement.Type, statement.PredicateType, statementType, predicateType)
	}
	return &statement, accepted[0].KeyID, nil
}
