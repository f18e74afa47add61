package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
)

// etcdAPI asks etcd by its JSON gateway.
type etcdAPI struct {
	url    string
	client *http.Client
}

type etcdMember struct {
	ID         string   `json:"ID"`
	Name       string   `json:"name"`
	PeerURLs   []string `json:"peerURLs"`
	ClientURLs []string `json:"clientURLs"`
	IsLearner  bool     `json:"isLearner"`
}

// change is what a change of members asks for.
type change struct {
	ID        string   `json:"ID,omitempty"`
	PeerURLs  []string `json:"peerURLs,omitempty"`
	IsLearner bool     `json:"isLearner,omitempty"`
}

func ownEtcd(o options) (etcdAPI, error) {
	client, err := clientOf(o, "etcd/client", "etcd/server-ca")
	return etcdAPI{url: "https://127.0.0.1:" + etcdClientPort, client: client}, err
}

// votes says whether there is a leader, and the member that is asked is no learner.
func (e etcdAPI) votes() bool {
	response, err := e.client.Get(e.url + "/health")
	if err != nil {
		return false
	}
	response.Body.Close()
	found, err := e.status()
	return response.StatusCode == http.StatusOK && err == nil && !found.IsLearner
}

func (e etcdAPI) call(what string, in, out any) error {
	response, err := e.post(what, in)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if out == nil {
		return nil
	}
	return json.NewDecoder(response.Body).Decode(out)
}

func (e etcdAPI) post(what string, in any) (*http.Response, error) {
	body, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	response, err := e.client.Post(e.url+"/v3/"+what, "application/json", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		defer response.Body.Close()
		said, _ := io.ReadAll(io.LimitReader(response.Body, 1<<16))
		return nil, fmt.Errorf("%s: %s", what, said)
	}
	return response, nil
}

func (e etcdAPI) members() ([]etcdMember, error) {
	var answer struct {
		Members []etcdMember `json:"members"`
	}
	err := e.call("cluster/member/list", struct{}{}, &answer)
	return answer.Members, err
}

// etcdStatus is what a member says of itself.
type etcdStatus struct {
	Header struct {
		Member string `json:"member_id"`
	} `json:"header"`
	Leader    string `json:"leader"`
	IsLearner bool   `json:"isLearner"`
}

func (e etcdAPI) status() (etcdStatus, error) {
	var answer etcdStatus
	err := e.call("maintenance/status", struct{}{}, &answer)
	return answer, err
}

// save writes a snapshot with the digest that a restore looks at.
func (e etcdAPI) save(file string) error {
	patient := *e.client
	patient.Timeout = 0
	response, err := etcdAPI{url: e.url, client: &patient}.post("maintenance/snapshot", struct{}{})
	if err != nil {
		return err
	}
	defer response.Body.Close()
	target, err := os.OpenFile(file+".part", os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer target.Close()
	for parts := json.NewDecoder(response.Body); ; {
		var part struct {
			Result struct {
				Blob []byte `json:"blob"`
			} `json:"result"`
			Error json.RawMessage `json:"error"`
		}
		if err := parts.Decode(&part); err == io.EOF {
			return os.Rename(file+".part", file)
		} else if err != nil {
			return err
		}
		if part.Error != nil {
			return fmt.Errorf("maintenance/snapshot: %s", part.Error)
		}
		if _, err := target.Write(part.Result.Blob); err != nil {
			return err
		}
	}
}
