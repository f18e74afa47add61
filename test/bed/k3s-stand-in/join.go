package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

// What servers of a cluster tell each other, on the port of the API.
const bootstrapPath, membersPath = "/v1-k3s/server-bootstrap", "/db/info"

// join adds this member to the cluster of a server, and answers all members by their peer addresses. What the server holds has to fit.
func join(o options, server, token string, self member) (string, error) {
	var shared bootstrap
	if err := askServer(o, server+bootstrapPath, token, &shared); err != nil {
		return "", err
	}
	if err := takeBootstrap(o, shared); err != nil {
		return "", err
	}
	for tries := 0; ; tries++ {
		cluster, err := addMember(o, server, token, self)
		if err == nil || tries == 120 || !(strings.Contains(err.Error(), "too many learner") || strings.Contains(err.Error(), "unhealthy cluster")) {
			return cluster, err
		}
		if tries == 0 {
			say("info", "Waiting for other members to finish joining etcd cluster: %v", err)
		}
		time.Sleep(time.Second)
	}
}

func addMember(o options, server, token string, self member) (string, error) {
	var known struct {
		Members []etcdMember `json:"members"`
	}
	if err := askServer(o, server+membersPath, token, &known); err != nil {
		return "", err
	}
	var cluster []string
	var urls []string
	there := false
	for _, each := range known.Members {
		if each.Name == "" && len(each.PeerURLs) > 0 && each.PeerURLs[0] == self.peer { // added, and never started
			each.Name = self.name
		}
		there = there || each.Name == self.name
		host := each.Name
		if hyphen := strings.LastIndex(each.Name, "-"); hyphen > 1 {
			host = each.Name[:hyphen]
		}
		if host == self.host && each.Name != self.name {
			_ = os.Remove(o.path("db", "etcd", "name"))
			return "", fmt.Errorf("duplicate node name found, please use a unique name for this node")
		}
		for _, peer := range each.PeerURLs {
			cluster = append(cluster, each.Name+"="+peer)
		}
		if !each.IsLearner {
			urls = append(urls, each.ClientURLs...)
		}
	}
	if there {
		return strings.Join(cluster, ","), nil
	}
	api, err := ownEtcd(o)
	if err != nil {
		return "", err
	}
	for _, url := range urls {
		api.url = url
		if err = api.call("cluster/member/add", change{PeerURLs: []string{self.peer}, IsLearner: true}, nil); err == nil {
			return strings.Join(append(cluster, self.name+"="+self.peer), ","), nil
		}
	}
	return "", fmt.Errorf("no member adds this one: %w", err)
}

// promoteLearners lets those vote that have caught up; the leader does it.
func promoteLearners(api etcdAPI) {
	for range time.Tick(time.Second) {
		if self, err := api.status(); err != nil || self.Leader != self.Header.Member {
			continue
		}
		members, _ := api.members()
		for _, each := range members {
			if each.IsLearner && api.call("cluster/member/promote", change{ID: each.ID}, nil) == nil {
				say("info", "Promoted learner %s", each.Name)
			}
		}
	}
}

// askServer trusts the authority that all servers of a cluster have, and shows the token.
func askServer(o options, url, token string, answer any) error {
	client, err := clientOf(o, "client-admin", "server-ca")
	if err != nil {
		return err
	}
	request, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	request.SetBasicAuth("server", token)
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		said, _ := io.ReadAll(io.LimitReader(response.Body, 1<<10))
		return fmt.Errorf("%s: %s: %s", url, response.Status, strings.TrimSpace(string(said)))
	}
	return json.NewDecoder(response.Body).Decode(answer)
}
