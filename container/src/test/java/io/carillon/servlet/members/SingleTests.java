package io.carillon.servlet.members;

import java.lang.reflect.Method;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs single test methods in this JVM. */
final class SingleTests {
    /** How a test ended. */
    enum Outcome {
        PASSED,
        /** An assertion of the test did not hold. */
        ASSERTION,
        /** It ended with another exception. */
        EXCEPTION,
        /** It did not end within 20 s. */
        ENDLESS
    }

    private static final long LIMIT_SECONDS = 20;

    private final Launcher launcher = LauncherFactory.create();

    Outcome run(Method test) throws Exception {
        FutureTask<Outcome> run = new FutureTask<>(() -> launch(test));
        Thread.ofPlatform().daemon().name("single-tests").start(run);
        try {
            return run.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException endless) {
            return Outcome.ENDLESS;
        }
    }

    private Outcome launch(Method test) {
        LauncherDiscoveryRequest request =
                LauncherDiscoveryRequestBuilder.request()
                        .selectors(DiscoverySelectors.selectMethod(test.getDeclaringClass(), test))
                        .build();
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        launcher.execute(request, listener);
        TestExecutionSummary summary = listener.getSummary();
        if (summary.getTotalFailureCount() == 0) {
            return summary.getTestsSucceededCount() > 0 ? Outcome.PASSED : Outcome.EXCEPTION;
        }
        boolean asserted =
                summary.getFailures().stream()
                        .anyMatch(failure -> failure.getException() instanceof AssertionError);
        return asserted ? Outcome.ASSERTION : Outcome.EXCEPTION;
    }
}
