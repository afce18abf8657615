package io.carillon.servlet.dispatch;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.feature.b2bua.CopyRules;
import io.carillon.servlet.feature.compose.RoutedApplications;
import io.carillon.servlet.feature.identity.PrivacyService;
import io.carillon.servlet.feature.refresh.SessionTimers;
import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.port.Provenance;
import io.carillon.sip.header.NameAddress;

/** What session timers, privacy and identity say of a request that a B2BUA copies. */
public final class CopyFeatures implements CopyRules {
    private final FeatureSettings settings;
    private final RoutedApplications applications;

    public CopyFeatures(FeatureSettings settings, RoutedApplications applications) {
        this.settings = settings;
        this.applications = applications;
    }

    @Override
    public boolean timed(Application application) {
        return SessionTimers.of(application) != null;
    }

    @Override
    public NameAddress caller(ServletRequest received, NameAddress from) {
        PrivacyService privacy = settings.privacyService();
        return privacy == null ? from : privacy.from(received, from);
    }

    @Override
    public void hide(ServletRequest received, ServletRequest copy) {
        PrivacyService privacy = settings.privacyService();
        if (privacy != null) {
            privacy.serve(received, copy);
        }
    }

    @Override
    public Provenance provenance(ServletRequest received) {
        return applications.provenance(received);
    }
}
