package io.carillon.boot;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows why SIP did not start as a sentence, in place of a stack trace. */
final class SipStartFailureAnalyzer extends AbstractFailureAnalyzer<SipStartException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, SipStartException cause) {
        return new FailureAnalysis(
                "The SIP application could not be started: " + cause.getMessage(),
                "Mend what is named, or set carillon.enabled=false to start without SIP.",
                cause);
    }
}
