(() => {
    const up = document.currentScript.dataset.up;
    const root = document.documentElement;
    const kept = (() => { try { return localStorage.getItem('theme'); } catch { return null; } })();
    if (kept) root.dataset.theme = kept;
    root.classList.add('scripts');

    const theme = document.getElementById('theme');
    const dark = () => root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    const named = () => { theme.textContent = dark() ? 'Light' : 'Dark'; };
    theme.hidden = false;
    theme.addEventListener('click', () => {
        root.dataset.theme = dark() ? 'light' : 'dark';
        try { localStorage.setItem('theme', root.dataset.theme); } catch { /* a file: page may keep nothing */ }
        named();
    });
    named();

    const menu = document.getElementById('menu');
    const pages = document.getElementById('navigation');
    menu.hidden = false;
    menu.addEventListener('click', () => {
        menu.setAttribute('aria-expanded', pages.classList.toggle('open'));
    });

    for (const heading of document.querySelectorAll('main h2[id], main h3[id]')) {
        const link = document.createElement('a');
        link.className = 'anchor';
        link.href = '#' + heading.id;
        link.textContent = '#';
        link.setAttribute('aria-label', 'Link to ' + heading.textContent);
        heading.append(link);
    }

    const search = document.getElementById('search');
    const found = document.getElementById('found');
    search.hidden = false;
    let index = null;
    const load = () => {
        if (index) return;
        index = [];
        const script = document.createElement('script');
        script.src = up + 'search.js';
        script.onload = () => { index = PAGES; show(); };
        document.head.append(script);
    };
    const show = () => {
        const words = search.value.toLowerCase().split(/\s+/).filter(word => word);
        found.replaceChildren();
        found.hidden = words.length === 0;
        if (found.hidden) return;
        const hits = index.filter(([title, part]) => {
            const text = (title + ' ' + part).toLowerCase();
            return words.every(word => text.includes(word));
        });
        hits.sort((one, other) => (one[1] !== '') - (other[1] !== ''));
        for (const [title, part, place] of hits.slice(0, 40)) {
            const link = document.createElement('a');
            link.href = up + place;
            link.textContent = part || title;
            if (part) {
                const small = document.createElement('small');
                small.textContent = ' · ' + title;
                link.append(small);
            }
            found.append(link);
        }
        if (!hits.length) found.textContent = 'No title and no heading has these words.';
    };
    search.addEventListener('focus', load);
    search.addEventListener('input', show);
    document.addEventListener('keydown', event => {
        if (event.key === 'Escape') { search.value = ''; show(); }
    });
    found.addEventListener('click', () => { search.value = ''; found.hidden = true; });
})();
