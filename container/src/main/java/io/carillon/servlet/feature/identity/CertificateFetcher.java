package io.carillon.servlet.feature.identity;

import java.net.URI;
import java.util.concurrent.CompletionStage;

/**
 * Fetches what is at an https URL: bounded in size and time, without following redirects. Any
 * thread; does not wait.
 */
public interface CertificateFetcher {
    /**
     * @return completes exceptionally where nothing can be had
     */
    CompletionStage<byte[]> fetch(URI place);
}
