package io.carillon.servlet.members;

import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Runs single test methods in this JVM. */
final class SingleTests {
    private static final long LIMIT_SECONDS = 20;

    private final Launcher launcher = LauncherFactory.create();

    /** Whether all of them pass; one that does not come to an end within 20 s fails. */
    boolean pass(List<Method> tests) throws Exception {
        FutureTask<Boolean> run = new FutureTask<>(() -> runAll(tests));
        Thread.ofPlatform().daemon().name("single-tests").start(run);
        try {
            return run.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException endless) {
            return false;
        }
    }

    private boolean runAll(List<Method> tests) {
        LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
        for (Method test : tests) {
            request.selectors(DiscoverySelectors.selectMethod(test.getDeclaringClass(), test));
        }
        LauncherDiscoveryRequest made = request.build();
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        launcher.execute(made, listener);
        return listener.getSummary().getTestsSucceededCount() > 0
                && listener.getSummary().getTotalFailureCount() == 0;
    }
}
