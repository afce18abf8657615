package io.carillon.servlet.identity;

import java.net.URI;
import java.util.concurrent.CompletionStage;

/** Finds the certificate that an {@code info} parameter names. Any thread; does not wait. */
public interface CredentialSource {
    /**
     * @return completes with a {@link CredentialFailure} where there is none
     */
    CompletionStage<Credential> find(URI info);
}
