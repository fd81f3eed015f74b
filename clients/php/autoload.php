<?php

declare(strict_types=1);

// For projects without Composer; Composer's own autoloader does the same.

spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'Shelfwire\\')) {
        $file = __DIR__ . '/src/' . strtr(substr($class, strlen('Shelfwire\\')), '\\', '/') . '.php';
        if (is_file($file)) {
            require $file;
        }
    }
});
