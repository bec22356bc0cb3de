# The image contains only the program; without git, the embedded engine reads the repository.
# docker run --rm --user "$(id -u):$(id -g)" --volume "$PWD:/repo" ghcr.io/rulecheck/rulecheck --since main
FROM gcr.io/distroless/static-debian12:nonroot@sha256:d093aa3e30dbadd3efe1310db061a14da60299baff8450a17fe0ccc514a16639
ARG TARGETPLATFORM
COPY $TARGETPLATFORM/rulecheck /usr/bin/rulecheck
WORKDIR /repo
ENTRYPOINT ["/usr/bin/rulecheck"]
