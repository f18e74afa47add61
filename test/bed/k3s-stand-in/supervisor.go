package main

import (
	"crypto/subtle"
	"encoding/json"
	"net/http"
)

// forServers answers those who show the token: what a further server has to have, and whom it joins.
func forServers(o options, token string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		if user != "server" || subtle.ConstantTimeCompare([]byte(password), []byte(token)) != 1 {
			http.Error(w, "not authorized", http.StatusUnauthorized)
			return
		}
		answer, err := answerServer(o, token, r.URL.Path)
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(answer)
	})
}

func answerServer(o options, token, path string) (any, error) {
	if path == bootstrapPath {
		return bootstrapToShare(o, token)
	}
	api, err := ownEtcd(o)
	if err != nil {
		return nil, err
	}
	members, err := api.members()
	return map[string]any{"members": members}, err
}
