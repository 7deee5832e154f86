# A container of the program: docker build -t poolproof . && docker run --rm -v "$PWD:/work" poolproof --backend=./libmine.so
FROM debian:12 AS build
COPY scripts/install.sh /
RUN /install.sh gate && apt-get install -y --no-install-recommends dpkg-dev file lowdown
COPY . /poolproof
WORKDIR /poolproof
RUN cmake --preset package && cmake --build --preset package && cpack --preset package -G DEB -B /packages && rm -r /packages/_CPack_Packages

# The package brings the libraries that it needs.
FROM debian:12-slim
COPY --from=build /packages /packages
RUN apt-get update && apt-get install -y --no-install-recommends /packages/*.deb && \
    rm -r /packages /var/lib/apt/lists/*
WORKDIR /work
ENTRYPOINT ["poolproof"]
