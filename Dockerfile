# A container of the program: docker build -t poolproof . && docker run --rm -v "$PWD:/work" poolproof --backend=./libmine.so
FROM debian:12 AS build
RUN apt-get update && \
    apt-get install -y --no-install-recommends cmake dpkg-dev g++ ninja-build python3 \
        libcli11-dev libfmt-dev libhwy-dev libkainjow-mustache-dev libpugixml-dev libseccomp-dev libxxhash-dev \
        libzstd-dev nlohmann-json3-dev
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
