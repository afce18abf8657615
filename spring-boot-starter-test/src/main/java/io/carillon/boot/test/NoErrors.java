package io.carillon.boot.test;

import io.carillon.servlettest.SipTestServer;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/** Fails a test in which a handler threw. */
final class NoErrors implements AfterEachCallback {
    @Override
    public void afterEach(ExtensionContext context) {
        if (context.getExecutionException().isEmpty()) {
            SpringExtension.getApplicationContext(context)
                    .getBean(SipTestServer.class)
                    .assertNoErrors();
        }
    }
}
