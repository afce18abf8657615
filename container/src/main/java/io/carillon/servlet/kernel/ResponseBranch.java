package io.carillon.servlet.kernel;

import io.carillon.sip.hop.Hop;
import javax.servlet.sip.ProxyBranch;
import org.jspecify.annotations.Nullable;

/** The branch of a proxy that a response is of, as the response knows it. */
public interface ResponseBranch extends ProxyBranch {
    /**
     * Where that response came from.
     *
     * @param evenUnanswered of one that never came: where its request went
     */
    @Nullable Hop answeredBy(int status, boolean evenUnanswered);
}
