// A client of an authorization server by golang.org/x/oauth2. It prints {} when it has started, and a line for each line of stdin.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	"golang.org/x/oauth2"
)

type request struct {
	Step                        string `json:"step"`
	ClientID                    string `json:"client_id"`
	RedirectURI                 string `json:"redirect_uri"`
	AuthorizationEndpoint       string `json:"authorization_endpoint"`
	TokenEndpoint               string `json:"token_endpoint"`
	DeviceAuthorizationEndpoint string `json:"device_authorization_endpoint"`
	Scope                       string `json:"scope"`
	Callback                    string `json:"callback"`
	RefreshToken                string `json:"refresh_token"`
}

type tokens struct {
	AccessToken  string `json:"access_token"`
	RefreshToken string `json:"refresh_token"`
}

var (
	config   oauth2.Config
	verifier string
	state    string
	device   *oauth2.DeviceAuthResponse
)

func toTokens(token *oauth2.Token, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return tokens{token.AccessToken, token.RefreshToken}, nil
}

func handle(ctx context.Context, input request) (any, error) {
	switch input.Step {
	case "start":
		config = oauth2.Config{
			ClientID:    input.ClientID,
			RedirectURL: input.RedirectURI,
			Endpoint: oauth2.Endpoint{
				AuthURL:       input.AuthorizationEndpoint,
				TokenURL:      input.TokenEndpoint,
				DeviceAuthURL: input.DeviceAuthorizationEndpoint,
			},
		}
		return nil, nil
	case "authorize":
		config.Scopes = strings.Fields(input.Scope)
		verifier, state = oauth2.GenerateVerifier(), oauth2.GenerateVerifier()
		return config.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier)), nil
	case "redeem":
		callback, err := url.Parse(input.Callback)
		if err != nil {
			return nil, err
		}
		if callback.Query().Get("state") != state {
			return nil, errors.New("the state is not that of the request")
		}
		return toTokens(config.Exchange(ctx, callback.Query().Get("code"), oauth2.VerifierOption(verifier)))
	case "refresh":
		expired := &oauth2.Token{RefreshToken: input.RefreshToken, Expiry: time.Unix(1, 0)}
		return toTokens(config.TokenSource(ctx, expired).Token())
	case "beginDevice":
		config.Scopes = strings.Fields(input.Scope)
		var err error
		if device, err = config.DeviceAuth(ctx); err != nil {
			return nil, err
		}
		return device.UserCode, nil
	case "finishDevice":
		return toTokens(config.DeviceAccessToken(ctx, device))
	}
	return nil, fmt.Errorf("there is no step %s", input.Step)
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	output := json.NewEncoder(os.Stdout)
	fmt.Println("{}")
	for lines.Scan() {
		var input request
		err := json.Unmarshal(lines.Bytes(), &input)
		var result any
		if err == nil {
			result, err = handle(context.Background(), input)
		}
		reply := map[string]any{"result": result}
		if err != nil {
			reply = map[string]any{"error": err.Error()}
		}
		if err := output.Encode(reply); err != nil {
			os.Exit(1)
		}
	}
}
