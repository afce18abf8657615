package io.carillon.server.cli;

import io.carillon.server.config.Secret;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that name a server elsewhere, which is asked by HTTP. */
final class RemoteTarget {
    @Option(
            names = "--server",
            paramLabel = "URL",
            description =
                    "A server elsewhere, as https://HOST:PORT, in place of the one that runs here;"
                            + " without it the variable CARILLON_SERVER.")
    private @Nullable URI server;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description =
                    "For --server: the file whose first line is the token; without it the variable"
                            + " CARILLON_TOKEN.")
    private @Nullable Path tokenFile;

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description =
                    "For --server: certificates (PEM) that are believed in place of the system's.")
    private @Nullable Path authorities;

    /** Is one named? */
    boolean named() throws IOException {
        return url() != null;
    }

    private @Nullable URI url() throws IOException {
        if (server != null) {
            return server;
        }
        String environment = System.getenv("CARILLON_SERVER");
        if (environment == null || environment.isBlank()) {
            return null;
        }
        try {
            return URI.create(environment.strip());
        } catch (IllegalArgumentException e) {
            throw new IOException("CARILLON_SERVER is no URL: " + environment, e);
        }
    }

    /** Has it do a command, and waits for its whole answer. */
    String ask(String command, String argument) throws IOException {
        URI url = url();
        if (url == null) {
            throw new IOException("no server is named");
        }
        try (RemoteServer remote = new RemoteServer(url, token(), authorities)) {
            return remote.ask(command, argument);
        }
    }

    private String token() throws IOException {
        if (tokenFile != null) {
            return Secret.inFile(tokenFile).value().strip();
        }
        String environment = System.getenv("CARILLON_TOKEN");
        if (environment == null || environment.isBlank()) {
            throw new IOException(
                    "a token is needed: --token-file FILE, or CARILLON_TOKEN"
                            + " (./carillon admin token NAME makes one)");
        }
        return environment.strip();
    }
}
