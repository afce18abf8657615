package io.carillon.servlet.feature.identity;

import java.net.InetAddress;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Finds the certificate that an {@code info} parameter names. Any thread; does not wait. */
public interface CredentialSource {
    /**
     * @return completes with a {@link CredentialFailure} where there is none
     */
    CompletionStage<Credential> find(URI info);

    /**
     * The same on behalf of a peer.
     *
     * @param source its address
     */
    default CompletionStage<Credential> find(URI info, InetAddress source) {
        return find(info);
    }

    /** What it has counted since the start, by name. Any thread. */
    default Map<String, Long> counters() {
        return Map.of();
    }
}
